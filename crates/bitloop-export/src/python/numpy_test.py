
def self_test():
    """Runs the test vectors; the largest difference, in units of 1e-12 of the outputs' scale and value."""
    controller = Controller()
    worst = 0.0
    for at, (inputs, expected) in enumerate(zip(INPUTS, OUTPUTS)):
        if at == RESET_AT:
            controller.reset()
        outputs = controller.step(inputs)
        allowed = 1e-12 * (np.array(SCALES) + np.abs(expected)) + 1e-300
        worst = np.maximum(worst, np.max(np.abs(outputs - expected) / allowed))
    return worst


if __name__ == "__main__":
    worst = self_test()
    print(f"{len(INPUTS)} steps, at most {worst:.2g}e-12 off")
    raise SystemExit(not worst <= 1.0)
