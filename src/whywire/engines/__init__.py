"""Where articles are read and stories are decided: in threads of this process, or elsewhere."""

from whywire.engines.engine import Decision, Engine, LocalEngine, Models, engine_of, left_out
from whywire.engines.predictions import PredictionCache, text_key

__all__ = ["Decision", "Engine", "LocalEngine", "Models", "PredictionCache", "engine_of", "left_out", "text_key"]
