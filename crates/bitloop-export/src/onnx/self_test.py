def self_test(session):
    """Runs the test vectors; the largest difference, in units of 1e-12 of the outputs' scale and value."""
    worst = 0.0
    memory = np.zeros((1, N_MEMORY))
    for at, (inputs, expected) in enumerate(zip(INPUTS, OUTPUTS)):
        if at == RESET_AT:
            memory = np.zeros((1, N_MEMORY))
        feed = {"inputs": np.array([inputs])}
        if N_MEMORY:
            feed["memory"] = memory
            outputs, memory = session.run(["outputs", "memory_out"], feed)
        else:
            (outputs,) = session.run(["outputs"], feed)
        allowed = 1e-12 * (np.array(SCALES) + np.abs(expected)) + 1e-300
        worst = np.maximum(worst, np.max(np.abs(outputs[0] - expected) / allowed))
    return worst


if __name__ == "__main__":
    worst = self_test(onnxruntime.InferenceSession(FILE, providers=["CPUExecutionProvider"]))
    print(f"{len(INPUTS)} steps, at most {worst:.2g}e-12 off")
    raise SystemExit(not worst <= 1.0)
