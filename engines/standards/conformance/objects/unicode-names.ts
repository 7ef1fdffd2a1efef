import { isUtf8 } from 'node:buffer'
import { PDFArray } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { elementsBelow } from '../../../pdf/document'
import type { ContentVisitor, StreamWalk } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { entryOf } from '../examination/model'
import type { Location } from '../examination/report'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import type { Part } from './part'
import type { NotableObjects } from './walk-objects'
import * as Name from '../../../pdf/names'

/** Rules for names that are meant to be read, as Latin-1 text. */
const UNICODE_NAME_RULES: readonly Rule<string>[] = [
  {
    in: inParts23('6.1.8-1'),
    message: 'Names of fonts, colorants and structure types must be valid UTF-8.',
    check: name => (isUtf8(Buffer.from(name, 'latin1')) ? undefined : JSON.stringify(name.slice(0, 40))),
  },
]

/** Maximum nesting of color spaces, such as /Indexed on /DeviceN. */
const MAX_SPACES = 8

/**
 * Checks the names of structure types, and the names of fonts and colorants in the resources of pages or in content.
 * Does nothing unless the file has a name that isn't valid UTF-8.
 */
export class UnicodeNames implements Part {
  readonly listener: ContentVisitor | undefined
  private readonly checked = new Set<PDFObject>()

  constructor(
    private readonly examination: Examination,
    private readonly notable: NotableObjects,
  ) {
    const isNeeded = notable.hasInvalidNames && examination.has(UNICODE_NAME_RULES)
    this.listener = isNeeded ? { operator: walk => this.readOperator(walk) } : undefined
  }

  start(): void {
    if (!this.notable.isComplete) this.leaveUndecided()
    if (!this.listener) return
    this.checkStructure()
    this.checkPages()
  }

  leaveUndecided(): void {
    this.examination.leaveUndecided(UNICODE_NAME_RULES)
  }

  private readOperator(walk: StreamWalk): void {
    const { reader, state, location } = walk
    switch (reader.operator) {
      case 'Tf':
        this.checkFont(walk.font, location)
        break
      case 'cs':
        this.checkSpace(state.fill.space, location)
        break
      case 'CS':
        this.checkSpace(state.stroke.space, location)
        break
      case 'sh':
        this.checkOwner(walk.resource('Shading', reader.name), location)
        break
      case 'Do':
        this.checkOwner(walk.resource('XObject', reader.name), location)
        break
    }
  }

  private checkStructure(): void {
    const { document } = this.examination
    const root = document.peekDict(document.catalog.get(Name.StructTreeRoot))
    if (!root) return
    for (const { dict } of elementsBelow(document, root)) this.checkName(dict.get(Name.S))
    for (const [key, value] of document.peekDict(root.get(Name.RoleMap))?.entries() ?? []) {
      this.checkName(key)
      this.checkName(value)
    }
  }

  private checkPages(): void {
    const { document } = this.examination
    for (const [index, page] of document.pages.entries()) {
      const resources = document.peekDict(page.attribute(Name.Resources))
      const location = { page: index + 1 }
      for (const font of this.valuesOf(resources, 'Font')) this.checkFont(document.peekDict(font), location)
      for (const space of this.valuesOf(resources, 'ColorSpace')) this.checkSpace(space, location)
    }
  }

  private valuesOf(resources: PDFDict | undefined, category: string): PDFObject[] {
    const { document } = this.examination
    return document.peekDict(entryOf(document, resources, category))?.values() ?? []
  }

  private checkName(value: PDFObject | undefined, location?: Location): void {
    const name = this.examination.document.peekName(value)
    if (name !== undefined) this.examination.apply(UNICODE_NAME_RULES, name, location)
  }

  private checkFont(font: PDFDict | undefined, location: Location): void {
    if (!font || this.isChecked(font)) return
    const { document } = this.examination
    this.checkName(font.get(Name.BaseFont), location)
    for (const descendant of document.peekItems(font.get(Name.DescendantFonts)))
      this.checkName(document.peekDict(descendant)?.get(Name.BaseFont), location)
  }

  /** Checks the color space of an image or a shading. */
  private checkOwner(value: PDFObject | undefined, location: Location): void {
    this.checkSpace(this.examination.document.peekDict(value)?.get(Name.ColorSpace), location)
  }

  private checkSpace(value: PDFObject | undefined, location: Location): void {
    const { document } = this.examination
    let space = document.peek(value)
    for (let depth = 0; depth < MAX_SPACES && space instanceof PDFArray && !this.isChecked(space); depth++) {
      const [family, first] = space.asArray()
      const name = document.peekName(family)
      if (name === 'Separation') this.checkName(first, location)
      if (name === 'DeviceN') for (const colorant of document.peekItems(first)) this.checkName(colorant, location)
      space = name === 'Indexed' || name === 'Pattern' ? document.peek(first) : undefined
    }
  }

  private isChecked(object: PDFObject): boolean {
    if (this.checked.has(object)) return true
    this.checked.add(object)
    return false
  }
}
