import { PDFArray, PDFName, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { Holder } from '../document/structure-elements'
import type { PdfDocument } from '../document/document'
import { stringBytes } from '../document/name-tree'
import { elementsBelow } from '../document/structure-elements'
import { writeBytes } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** New names in the elements of a structure tree (ISO 32000-2, table 355). */
export class TagChanges {
  /** Structure types of the default namespace. */
  types: ReadonlyMap<PDFName, PDFName> = new Map()
  /** Structure types of other namespaces. */
  readonly spaceTypes = new Map<PDFObject, ReadonlyMap<PDFName, PDFName>>()
  /** Namespaces that are replaced by another one. */
  readonly spaces = new Map<PDFObject, PDFRef>()
  classes: ReadonlyMap<PDFName, PDFName> = new Map()
  /** Element identifiers, as bytes in Latin-1. */
  ids: ReadonlyMap<string, string> = new Map()

  get isEmpty(): boolean {
    const all = [this.types, this.spaceTypes, this.spaces, this.classes, this.ids]
    return all.every(({ size }) => size === 0)
  }

  /** The new identifier for a string. Undefined if it doesn't change. */
  id(document: PdfDocument, value: PDFObject | undefined): PDFObject | undefined {
    const id = this.ids.get(stringBytes(document.peek(value)) ?? '')
    return id === undefined ? undefined : writeBytes(Buffer.from(id, 'latin1'))
  }

  /** Applies the changes to all elements below a root. */
  apply(document: PdfDocument, root: PDFDict): void {
    if (this.isEmpty) return
    const attributes = new Set<PDFObject>()
    for (const element of elementsBelow(document, root)) {
      this.applyToElement(document, element)
      this.applyToAttributes(document, { value: element.dict.get(Name.A), touch: element.edit, visited: attributes })
    }
  }

  /** Applies the changes to attribute objects (14.7.6): a single one, or an array of them with revision numbers. */
  applyToAttributes(document: PdfDocument, { value, touch, visited }: Attributes): void {
    const stack: [PDFObject | undefined, () => unknown][] = [[value, touch]]
    for (let next = stack.pop(); next; next = stack.pop()) {
      const [item, touchOwner] = next
      const object = document.peek(item)
      if (!object || visited.has(object)) continue
      visited.add(object)
      const touchThis = (): unknown => (item instanceof PDFRef ? document.store.get(item) : touchOwner())
      if (object instanceof PDFArray) for (const part of object.asArray()) stack.push([part, touchThis])
      const dict = document.peekDict(object)
      if (dict) this.applyToAttribute(document, dict, touchThis)
    }
  }

  private applyToElement(document: PdfDocument, { dict, edit }: Holder): void {
    const space = dict.get(Name.NS)
    const type = document.peek(dict.get(Name.S))
    const types = space ? this.spaceTypes.get(space) : this.types
    const renamed = type instanceof PDFName ? types?.get(type) : undefined
    if (renamed) edit().set(Name.S, renamed)
    const joined = space && this.spaces.get(space)
    if (joined) edit().set(Name.NS, joined)
    const id = this.id(document, dict.get(Name.ID))
    if (id) edit().set(Name.ID, id)
    const classes = document.peek(dict.get(Name.C))
    const classOf = (value: PDFObject): PDFObject => {
      const name = document.peek(value)
      return (name instanceof PDFName && this.classes.get(name)) || value
    }
    if (classes instanceof PDFName && classOf(classes) !== classes) edit().set(Name.C, classOf(classes))
    if (!(classes instanceof PDFArray) || !classes.asArray().some(item => classOf(item) !== item)) return
    edit().set(Name.C, document.context.obj(classes.asArray().map(classOf)))
  }

  private applyToAttribute(document: PdfDocument, dict: PDFDict, touch: () => unknown): void {
    const space = dict.get(Name.NS)
    const joined = space && this.spaces.get(space)
    if (joined) {
      touch()
      dict.set(Name.NS, joined)
    }
    const headers = document.peekArray(dict.get(Name.Headers))?.asArray()
    if (!headers?.some(header => this.id(document, header))) return
    touch()
    dict.set(Name.Headers, document.context.obj(headers.map(header => this.id(document, header) ?? header)))
  }
}

interface Attributes {
  value: PDFObject | undefined
  /** Marks the owner of the value as changed. */
  touch(): unknown
  visited: Set<PDFObject>
}
