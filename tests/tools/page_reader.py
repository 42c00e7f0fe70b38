"""A page of `tikc measure --report` as an independent reader has it: its texts, tables and pictures, and what a page should not be."""

from html.parser import HTMLParser


class Reader(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts, self.faults = [], [], [], []
        self.tables, self.cell, self.labels, self.headings = [], None, [], []
        self.data = None  # the block for programs
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"never closed: {self.open}")
        self.judge()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append((tag, attributes, list(self.open)))
        if len(attributes) != len(attrs):
            self.faults.append(f"{tag} has an attribute twice")
        if "aria-label" in attributes:
            self.labels.append(attributes["aria-label"])
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.cell = tag
        elif tag in ("h1", "h2", "h3", "h4"):
            self.headings.append((int(tag[1]), ""))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), list(self.open)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            if any(word in data for word in ("url(", "@import", "expression(", "</")):
                self.faults.append("a style that fetches")
            return
        if self.open and self.open[-1] == "script":
            self.data = (self.data or "") + data
            return
        self.texts.append(data)
        if self.cell is not None:
            self.tables[-1][-1][-1] += data
        if any(tag in self.open for tag in ("h1", "h2", "h3", "h4")):
            self.headings[-1] = (self.headings[-1][0], self.headings[-1][1] + data)

    def of(self, tag):
        return [(attributes, inside) for name, attributes, inside in self.elements if name == tag]

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def judge(self):
        """What is asked of a page by those who cannot see it, and by those who do not trust it."""
        faults = self.faults
        faults += ["has a script" for attributes, _ in self.of("script") if attributes not in [{"type": "application/json", "id": id} for id in ("measurement", "diagnosis-numbers")]]
        for tag in ("iframe", "object", "embed", "link", "base", "form", "img", "input", "foreignobject", "use", "image", "animate"):
            if self.of(tag):
                faults.append(f"has a {tag}")
        ids = [attributes["id"] for _, attributes, _ in self.elements if "id" in attributes]
        faults += [f"the id {each} twice" for each in {each for each in ids if ids.count(each) > 1}]
        for tag, attributes, inside in self.elements:
            for name, value in attributes.items():
                if name.startswith("on") or name in ("src", "srcset", "xlink:href", "action", "formaction", "poster", "background"):
                    faults.append(f"{tag} has {name}")
                if name == "href" and not (value.startswith("#") and value[1:] in ids):
                    faults.append(f"{tag} leads to {value}")
                if name == "aria-labelledby" and value not in ids:
                    faults.append(f"{tag} is named by {value}, which is not there")
            if tag == "svg" and (attributes.get("role") != "img" or not attributes.get("aria-label")):
                faults.append("a picture without a text")
            if tag == "th" and attributes.get("scope") not in ("col", "row"):
                faults.append("a heading of nothing")
            if tag == "section" and "aria-labelledby" not in attributes:
                faults.append("a section without a name")
            if tag == "summary" and inside[-1] != "details":
                faults.append("a summary of nothing")
        levels = [level for level, _ in self.headings]
        if levels.count(1) != 1 or levels[0] != 1 or any(b > a + 1 for a, b in zip(levels, levels[1:])):
            faults.append(f"headings of {levels}")
        for tag in ("main", "nav", "title", "header"):
            if sum("svg" not in inside for _, inside in self.of(tag)) != 1:
                faults.append(f"not one {tag}")
        if self.of("html") and self.of("html")[0][0].get("lang") != "en":
            faults.append("no language")
        policy = [attributes["content"] for attributes, _ in self.of("meta") if attributes.get("http-equiv") == "Content-Security-Policy"]
        if len(policy) != 1 or "default-src 'none'" not in policy[0] or "script" in policy[0]:
            faults.append(f"a policy of {policy}")
        for table in self.tables:
            if len({len(row) for row in table}) != 1:
                faults.append(f"rows of {[len(row) for row in table]} cells")
