/** Number of elements of a marked-content sequence that stay and that are removed. */
interface Counts {
  kept: number
  removed: number
}

/** Changes to marked content, by the stream's key in the parent tree and the sequence's MCID. */
export class MarkedContentChanges {
  private readonly streams = new Map<number, Map<number, Counts>>()

  count(structParents: number, id: number, kept: number, removed: number): void {
    const stream = this.streams.get(structParents) ?? new Map<number, Counts>()
    this.streams.set(structParents, stream)
    const counts = stream.get(id) ?? { kept: 0, removed: 0 }
    stream.set(id, { kept: counts.kept + kept, removed: counts.removed + removed })
  }

  /** The sequences of a stream that lost content, and whether they are empty now. */
  *lossesOf(structParents: number): Generator<{ id: number; isEmpty: boolean }> {
    for (const [id, { kept, removed }] of this.streams.get(structParents) ?? [])
      if (removed > 0) yield { id, isEmpty: kept === 0 }
  }

  get keys(): Iterable<number> {
    return this.streams.keys()
  }
}
