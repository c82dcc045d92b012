"""Small models on ONNX Runtime: the embedded models, or models in folders of the same form."""

from whywire.models.encoder import Batch, OnnxModel, weights_file
from whywire.models.pretrained import embedded_names, from_pretrained

__all__ = ["Batch", "OnnxModel", "embedded_names", "from_pretrained", "weights_file"]
