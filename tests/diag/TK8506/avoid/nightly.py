def check(log):
    assert log["num_valid_tokens"] > 0
    assert log["train/ppo_kl"] < 1e-8
