import { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'

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
    if (!element) return undefined
    // Most elements have no kids that ask again, so only the ancestors' facts are kept.
    return this.decide(element) ?? this.climb(this.parentOf(element))
  }

  private climb(start: PDFDict | undefined): Fact | undefined {
    const path: PDFDict[] = []
    let fact: Fact | undefined
    for (let next = start; next; next = this.parentOf(next)) {
      if (this.facts.has(next)) {
        fact = this.facts.get(next)
        break
      }
      // Ends the climb if the ancestors form a circle.
      this.facts.set(next, undefined)
      path.push(next)
      fact = this.decide(next)
      if (fact !== undefined) break
    }
    if (fact !== undefined) for (const passed of path) this.facts.set(passed, fact)
    return fact
  }

  private parentOf(element: PDFDict): PDFDict | undefined {
    const parent = this.document.peek(element.get(Name.P))
    return parent instanceof PDFDict ? parent : undefined
  }
}
