"""The text that the pair is trained on and asked for, made here: sums of a few characters, tales of a sentence, and what an answer is worth."""

import random

WORDS = {
    "who": "fox hen cat dog owl bee ant cow pig elk".split(),
    "how": "old red shy sad wet big odd fat new wee".split(),
    "did": "saw met fed led bit hid hit won lost heard".split(),
    "where": "near the barn,in the reeds,by the pond,under a tree,on the hill,at night".split(","),
}
ALPHABET = "\n" + "".join(sorted({*"0123456789+=:;., abcdefghijklmnopqrstuvwxyz"}))
END = 0  # the token that ends an answer
TASKS = ("sums", "tales")
PROMPT, LONGEST = {"sums": 10, "tales": 14}, {"sums": 4, "tales": 48}  # characters


def encoded(text):
    return [ALPHABET.index(each) for each in text]


def decoded(tokens):
    return "".join(ALPHABET[each] for each in tokens)


def prompts(task, count, seed):
    """All of a length, so that no batch of them is padded."""
    source = random.Random(f"{task} {seed}")
    if task == "sums":
        return [f"sum {source.randrange(10, 50)}+{source.randrange(10, 50)}=" for _ in range(count)]
    return [f"tale of a {source.choice(WORDS['who'])}:" for _ in range(count)]


def answer(prompt, source):
    """One that is right."""
    if prompt.startswith("sum"):
        return f"{sum(map(int, prompt[4:-1].split('+')))};\n"
    pick = {kind: source.choice(words) for kind, words in WORDS.items()}
    return f" the {pick['how']} {prompt[10:-1]} {pick['did']} the {source.choice(WORDS['who'])} {pick['where']}.\n"


def reward(prompt, text):
    """In [0, 1]: a sum is right or not, of a tale the share of its words that are words."""
    if prompt.startswith("sum"):
        return float(text == answer(prompt, random))
    known = {word for words in WORDS.values() for each in words for word in each.split()} | {"the"}
    words = text.rstrip("\n").rstrip(".").split()
    return sum(each in known for each in words) / max(len(words), 6) if text.endswith(".\n") else 0.0
