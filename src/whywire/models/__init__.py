"""Small models on ONNX Runtime: the embedded ones, or any folder laid out like them."""

from whywire.models.encoder import Batch, OnnxModel
from whywire.models.pretrained import embedded_names, from_pretrained

__all__ = ["Batch", "OnnxModel", "embedded_names", "from_pretrained"]
