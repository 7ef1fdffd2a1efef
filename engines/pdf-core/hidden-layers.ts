import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { hiddenGroups } from './layers'
import type { Page } from './page-tree'
import { readText } from './text-string'

const D = PDFName.of('D')
const P = PDFName.of('P')
const OC = PDFName.of('OC')
const OCGS = PDFName.of('OCGs')
const NAME = PDFName.of('Name')
const OC_PROPERTIES = PDFName.of('OCProperties')
const RESOURCES = PDFName.of('Resources')
const X_OBJECT = PDFName.of('XObject')

/** The layers (optional content groups, ISO 32000-2, 8.11) that a document hides when it is opened. */
export class HiddenLayers {
  private readonly groups: ReadonlySet<PDFObject>

  constructor(private readonly document: PdfDocument) {
    const properties = document.peekDict(document.catalog.get(OC_PROPERTIES))
    const all = document.peekArray(properties?.get(OCGS))?.asArray() ?? []
    this.groups = new Set(properties ? hiddenGroups(document, document.peekDict(properties.get(D)) ?? PDFDict.withContext(document.context), all) : [])
  }

  get isEmpty(): boolean {
    return this.groups.size === 0
  }

  get names(): Set<string> {
    const { document } = this
    return new Set([...this.groups].map(group => readText(document.peek(document.peekDict(group)?.get(NAME))) ?? ''))
  }

  /** Whether what belongs to this group, or to groups by a policy (table 97), is hidden. Expressions (/VE) are not read. */
  hides(value: PDFObject | undefined): boolean {
    const { document } = this
    if (value === undefined || this.groups.has(value)) return value !== undefined
    const membership = document.peekDict(value)
    const given = membership?.get(OCGS)
    const list = document.peek(given)
    const members = list instanceof PDFArray ? list.asArray() : given ? [given] : []
    if (members.length === 0) return false
    const hidden = members.filter(member => this.groups.has(member)).length
    const policy = document.peek(membership?.get(P))?.toString()
    if (policy === '/AllOn') return hidden > 0
    if (policy === '/AnyOff') return hidden === 0
    return policy === '/AllOff' ? hidden < members.length : hidden === members.length
  }

  /** Empties the forms and pictures of pages that belong to hidden layers as a whole, wherever they are used. */
  emptyObjects(pages: Page[]): void {
    const { document } = this
    const seen = new Set<PDFRef>()
    const stack = pages.map(page => page.attribute(RESOURCES))
    while (stack.length) {
      for (const ref of document.peekDict(document.peekDict(stack.pop())?.get(X_OBJECT))?.values() ?? []) {
        const dict = document.peekDict(ref)
        if (!dict || !(ref instanceof PDFRef) || seen.has(ref)) continue
        seen.add(ref)
        if (this.hides(dict.get(OC))) document.store.set(ref, PDFRawStream.of(PDFDict.fromMapWithContext(new Map(dict.entries().filter(([key]) => key.toString() !== '/Filter')), document.context), new Uint8Array()))
        else stack.push(dict.get(RESOURCES))
      }
    }
  }
}
