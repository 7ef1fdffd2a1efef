import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { entryOf, plainDict } from '../model'

/**
 * A fact that structure elements take from the nearest ancestor that decides it, or decide themselves. Ancestors are
 * found through /P. Remembers all results, so that deep trees are climbed once.
 */
export class Climb<Fact> {
  private readonly facts = new Map<PDFDict, Fact | undefined>()

  constructor(
    private readonly document: PdfDocument,
    private readonly decide: (element: PDFDict) => Fact | undefined,
  ) {}

  /** The fact for an element. Undefined if no ancestor decides it, or if the ancestors form a circle. */
  find(element: PDFDict | undefined): Fact | undefined {
    const path: PDFDict[] = []
    let fact: Fact | undefined
    for (let next = element; next; next = plainDict(this.document, entryOf(this.document, next, 'P'))) {
      if (this.facts.has(next)) {
        fact = this.facts.get(next)
        break
      }
      this.facts.set(next, undefined)
      path.push(next)
      fact = this.decide(next)
      if (fact !== undefined) break
    }
    for (const passed of path) this.facts.set(passed, fact)
    return fact
  }
}
