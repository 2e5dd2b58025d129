

def layer(weights, fed, past, own):
    """Biases, inputs and the layer's own past; with `own` a neuron sees its own past alone."""
    sums = weights[:, 0] + weights[:, 1 : 1 + fed.size] @ fed
    back = weights[:, 1 + fed.size :]
    return sums + (back[:, 0] * past if own else back @ past)


def logistic(sums):
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(-sums))
