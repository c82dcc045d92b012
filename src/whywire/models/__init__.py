"""Small models on ONNX Runtime: the embedded ones, or any folder laid out like them."""

from whywire.models.encoder import Batch, OnnxModel, weights_file
from whywire.models.pretrained import embedded_names, from_pretrained

__all__ = ["Batch", "OnnxModel", "embedded_names", "from_pretrained", "weights_file"]
