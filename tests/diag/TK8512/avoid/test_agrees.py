def test_the_server_agrees():
    torch.testing.assert_close(served.log_probs, scored.log_probs, atol=1e-2, rtol=1e-2)
