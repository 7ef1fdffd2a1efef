import type { PDFRef } from 'pdf-lib'

/** Number of elements of a marked-content sequence that stay and that are removed. */
interface Counts {
  kept: number
  removed: number
}

/** Changes to marked content, by the page or form XObject that contains it and the sequence's MCID. */
export class MarkedContentChanges {
  private readonly owners = new Map<PDFRef, Map<number, Counts>>()

  /** Records that the content of a page or form XObject was interpreted. */
  open(owner: PDFRef): void {
    if (!this.owners.has(owner)) this.owners.set(owner, new Map<number, Counts>())
  }

  /** Adds to the numbers of elements that stay and that are removed in the sequence with MCID `id`. */
  count(owner: PDFRef, id: number, { kept, removed }: Counts): void {
    this.open(owner)
    const sequences = this.owners.get(owner)
    const counts = sequences?.get(id) ?? { kept: 0, removed: 0 }
    sequences?.set(id, { kept: counts.kept + kept, removed: counts.removed + removed })
  }

  /** Returns whether interpreted content has a sequence. */
  has(owner: PDFRef, id: number): boolean {
    return this.owners.get(owner)?.has(id) === true
  }

  /** The sequences that lost content, and whether they are empty now. */
  *losses(): Generator<{ owner: PDFRef; id: number; isEmpty: boolean }> {
    for (const [owner, sequences] of this.owners)
      for (const [id, { kept, removed }] of sequences) if (removed > 0) yield { owner, id, isEmpty: kept === 0 }
  }
}
