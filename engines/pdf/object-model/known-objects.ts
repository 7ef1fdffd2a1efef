import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { annotationsOf } from '../annotations/annotations'
import { nameText } from '../syntax/name-text'
import * as Name from '../syntax/names'
import { FIELD_TYPES, isStandardKey, typeNamed } from './object-types'
import type { Kind, ObjectType } from './object-types'

/** Private data of programs (ISO 32000-2, 14.5), which may repeat the page. */
const PRIVATE = new Set(['PieceInfo'])

/** The data of attached files, and of files related to them (ISO 32000-2, table 43). */
const FILE_DATA = new Set(['EF', 'RF'])

/** How many entries were dropped by key. Keys that the standard doesn't use at all count as `other`. */
export type DroppedEntries = Map<string, number>

/** Receives an entry that the model doesn't know. */
type Report = (container: PDFDict | PDFArray, key: PDFName | number) => void

/**
 * The objects of a document as the model of ISO 32000-2 knows them. Objects are typed from the catalog and the document
 * information on. The model doesn't know keys that an object of its type doesn't have, values of the wrong kind, private
 * data of programs, pages outside the page tree, and widgets that are on no page.
 */
export class KnownObjects {
  /** The types of each object. An object may have several, such as a field and its widget. */
  private readonly types = new Map<PDFRef, Set<ObjectType>>()
  private readonly queue = new Set<PDFRef>()
  /** Objects with something that the model doesn't know. */
  private readonly unknown = new Set<PDFRef>()
  private readonly pages: ReadonlySet<PDFRef>
  private readonly annotations: ReadonlySet<PDFObject>
  private readonly foreign: ReadonlySet<string>

  /** With `files: 'unknown'`, the data of attached files counts as unknown too. */
  constructor(
    private readonly document: PdfDocument,
    { files = 'known' }: { files?: 'known' | 'unknown' } = {},
  ) {
    this.foreign = files === 'known' ? PRIVATE : new Set([...PRIVATE, ...FILE_DATA])
    this.pages = new Set(document.pages.map(({ ref }) => ref))
    this.annotations = new Set(document.pages.flatMap(page => annotationsOf(document, page)))
    this.reach(document.rootRef, [typeNamed('Catalog')])
    if (document.infoRef) this.reach(document.infoRef, [typeNamed('DocInfo')])
    for (const ref of this.queue) {
      this.queue.delete(ref)
      this.unknown.delete(ref)
      this.walkObject(ref, () => this.unknown.add(ref))
    }
  }

  /** Returns the objects that have one of these types of the model, or may have it. */
  withType(...names: string[]): PDFRef[] {
    const types = names.map(typeNamed)
    return [...this.types].filter(([, own]) => types.some(type => own.has(type))).map(([ref]) => ref)
  }

  /** Finds what the model doesn't know. */
  findUnknown(): DroppedEntries {
    const dropped: DroppedEntries = new Map()
    for (const ref of this.unknown) this.walkObject(ref, (_container, key) => count(dropped, key))
    return dropped
  }

  /** Removes what the model doesn't know. Items of arrays become null. Returns what was removed. */
  dropUnknown(): DroppedEntries {
    const dropped: DroppedEntries = new Map()
    for (const ref of this.unknown) {
      const found: [PDFDict | PDFArray, PDFName | number][] = []
      this.walkObject(ref, (container, key) => found.push([container, key]))
      // Only an object that changes is loaded for changes. The writer copies the others.
      this.document.store.get(ref)
      for (const [container, key] of found) {
        count(dropped, key)
        if (container instanceof PDFDict) container.delete(key as PDFName)
        else container.set(key as number, PDFNull)
      }
    }
    return dropped
  }

  /** Records that an object has these types. */
  private reach(ref: PDFRef, types: readonly ObjectType[]): void {
    const known = this.types.get(ref) ?? new Set<ObjectType>()
    const before = known.size
    for (const type of types) known.add(type)
    if (known.size === before && before > 0) return
    this.types.set(ref, known)
    this.queue.add(ref)
  }

  private walkObject(ref: PDFRef, report: Report): void {
    const types = this.types.get(ref)
    const object = this.document.peek(ref)
    if (types && object) this.walk(object, [...types], report)
  }

  /** Visits an object and its direct parts. */
  private walk(object: PDFObject, types: readonly ObjectType[], report: Report): void {
    if (object instanceof PDFArray) {
      const own = this.select(types, key => object.get(Number(key)))
      for (let index = 0; index < object.size(); index++)
        if (!this.isKnown(object.get(index), String(index), own, report)) report(object, index)
      return
    }
    const dict = object instanceof PDFStream ? object.dict : object
    if (!(dict instanceof PDFDict)) return
    const own = this.select(types, key => dict.get(PDFName.of(key)))
    for (const [key, value] of dict.entries()) {
      const name = nameText(key)
      if (this.foreign.has(name) || !this.isKnown(value, name, own, report)) report(dict, key)
    }
  }

  /** Visits a value of a key. Returns whether one of the types has such a value. */
  private isKnown(value: PDFObject, key: string, owners: readonly ObjectType[], report: Report): boolean {
    const object = this.document.peek(value)
    if (object === undefined || object === PDFNull) return true
    const kind = kindOf(object)
    if (!kind) return false
    const linked: ObjectType[] = []
    let isAccepted = false
    for (const owner of owners) {
      const types = owner.ruleOf(key)?.types.get(kind)
      if (!types) continue
      isAccepted = true
      linked.push(...types)
    }
    if (!isAccepted) return false
    if (kind !== 'array' && kind !== 'dictionary' && kind !== 'stream') return true
    if (object instanceof PDFDict && (this.isLostPage(value, object) || this.isLostWidget(value, object))) return false
    if (value instanceof PDFRef) this.reach(value, linked)
    else this.walk(object, linked, report)
    return true
  }

  private isLostPage(value: PDFObject, page: PDFDict): boolean {
    return this.document.peekName(page.get(Name.Type)) === 'Page' && !(value instanceof PDFRef && this.pages.has(value))
  }

  /** Deleted pages may leave their widgets in the form. */
  private isLostWidget(value: PDFObject, widget: PDFDict): boolean {
    return this.document.peekName(widget.get(Name.Subtype)) === 'Widget' && !this.annotations.has(value)
  }

  /**
   * The types that fit best, by the values of their keys. Several if they fit equally. Types that allow anything, such as
   * `_UniversalDictionary`, only count without others.
   */
  private select(all: readonly ObjectType[], valueOf: (key: string) => PDFObject | undefined): ObjectType[] {
    if (all.length < 2) return withFields(all)
    const specific = all.filter(({ name }) => !name.startsWith('_'))
    const types = specific.length > 0 ? specific : all
    let least = Infinity
    let best: ObjectType[] = []
    const texts = new Map<string, string | undefined>()
    for (const type of types) {
      let wrong = 0
      for (const [key, { values, isRequired }] of type.marks) {
        if (!texts.has(key)) texts.set(key, textOf(this.document.peek(valueOf(key))))
        const text = texts.get(key)
        if (text === undefined ? isRequired && key !== 'Type' : !values?.has(text)) wrong++
      }
      if (wrong < least) [least, best] = [wrong, []]
      if (wrong === least) best.push(type)
    }
    return withFields(best)
  }
}

/** Adds the types of fields to widgets. Fields may be merged with their widget, and aren't always listed in the form. */
function withFields(types: readonly ObjectType[]): ObjectType[] {
  return types.some(({ name }) => name === 'AnnotWidget') ? [...types, ...FIELD_TYPES] : [...types]
}

/** The name or number that a value is. */
function textOf(value: PDFObject | undefined): string | undefined {
  return value instanceof PDFName ? nameText(value) : value instanceof PDFNumber ? String(value) : undefined
}

function kindOf(object: PDFObject): Kind | undefined {
  if (object instanceof PDFDict) return 'dictionary'
  if (object instanceof PDFStream) return 'stream'
  if (object instanceof PDFArray) return 'array'
  if (object instanceof PDFName) return 'name'
  if (object instanceof PDFNumber) return 'number'
  if (object instanceof PDFString || object instanceof PDFHexString) return 'string'
  return object instanceof PDFBool ? 'boolean' : undefined
}

function count(dropped: DroppedEntries, key: PDFName | number): void {
  const name = key instanceof PDFName && isStandardKey(nameText(key)) ? nameText(key) : 'other'
  dropped.set(name, (dropped.get(name) ?? 0) + 1)
}
