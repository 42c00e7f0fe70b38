vllm serve Qwen/Qwen3-8B --kv-cache-dtype fp8
