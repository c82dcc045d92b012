"use strict";
// A graph as the component takes it, with lookups. Events, links, articles and claims are referred to by their index in
// these lists.

class GraphData {
  /** @param data - what `page_data` or `component_data` returned: articles, events, links, stories; and more. */
  constructor(data) {
    Object.assign(this, data);
    this.linksOfEvent = this.events.map(() => []);
    this.links.forEach((link, index) => {
      this.linksOfEvent[link.source].push(index);
      this.linksOfEvent[link.target].push(index);
    });
    this.stories.forEach((story) => {
      const ends = new Set(story.links.flatMap((link) => this.endsOf(link)));
      story.linkedEvents = story.events.filter((event) => ends.has(event));
    });
    /** The kinds of evidence that some link has, the most reliable first. */
    this.evidenceKinds = EVIDENCE_KINDS.filter((kind) =>
      this.links.some((link) => link.evidenceKinds.includes(kind)));
  }

  endsOf(link) {
    return [this.links[link].source, this.links[link].target];
  }

  /** Link indices, those of the greatest weight first. */
  byWeight(links) {
    return [...links].sort((a, b) => this.links[b].weight - this.links[a].weight || a - b);
  }
}

/** The kinds of evidence, the most reliable first. */
const EVIDENCE_KINDS = ["said", "shown", "implied"];
const mainEvidenceKind = (link) => EVIDENCE_KINDS.find((kind) => link.evidenceKinds.includes(kind));
