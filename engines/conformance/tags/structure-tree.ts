import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { readNumberTree } from '../../pdf-core/document/name-tree'
import { kidsOf } from '../../pdf-core/document/structure-elements'
import { entryOf, nameOf, objectOf, plainDict } from '../model'
import type { Place } from '../report'
import { Climb } from './climb'
import { RoleMap } from './role-map'
import { hasString } from './values'

/** Types that only group their kids. Rules on parents and kids look through them. */
const GROUPING = new Set(['NonStruct', 'Div', 'Part'])

/** A structure element. Elements in a circle or with several parents exist once. */
export interface StructureElement {
  dict: PDFDict
  place: Place
  /** /S as it is. */
  type: string | undefined
  /** What /S means after role mapping. Undefined if it means no standard type. */
  standardType: string | undefined
  kids: StructureElement[]
}

/** The structure tree of a document (ISO 32000-1, 14.7). */
export class StructureTree {
  readonly roles: RoleMap
  /** All elements in document order. */
  readonly elements: StructureElement[] = []
  private readonly known = new Map<PDFDict, StructureElement>()
  private readonly languages: Climb<true>
  private readonly roots: Climb<true>
  private readonly parentTypes: Climb<string>
  private parents: Map<number, PDFObject> | undefined

  private constructor(
    private readonly document: PdfDocument,
    readonly root: PDFDict,
  ) {
    this.roles = new RoleMap(document, entryOf(document, root, 'RoleMap'))
    this.languages = new Climb(document, dict => hasString(document, dict, 'Lang') || undefined)
    this.roots = new Climb(document, dict => typeOf(document, dict) === 'StructTreeRoot' || undefined)
    this.parentTypes = new Climb(document, dict => this.parentTypeIn(dict))
    this.readElements()
  }

  /** Undefined if the document has no structure tree. */
  static read(document: PdfDocument): StructureTree | undefined {
    const root = plainDict(document, entryOf(document, document.catalog, 'StructTreeRoot'))
    return root && new StructureTree(document, root)
  }

  /** Kids, with kids of grouping elements in place of these elements. */
  significantKids(element: StructureElement): StructureElement[] {
    const kids: StructureElement[] = []
    const seen = new Set([element])
    const stack = element.kids.toReversed()
    for (let kid = stack.pop(); kid; kid = stack.pop()) {
      if (!isGrouping(kid.standardType)) kids.push(kid)
      else if (!seen.has(kid)) {
        seen.add(kid)
        for (const inner of kid.kids.toReversed()) stack.push(inner)
      }
    }
    return kids
  }

  /** The standard type of the nearest ancestor that isn't a grouping element. Empty if it has none. */
  parentTypeOf(element: StructureElement): string {
    return this.parentTypes.find(plainDict(this.document, entryOf(this.document, element.dict, 'P'))) ?? ''
  }

  /** Returns whether an element or one of its ancestors has a language. */
  hasLanguage(element: PDFDict | undefined): boolean {
    return this.languages.find(element) ?? false
  }

  /** Returns whether the ancestors of an element lead to the root. Only then is its content tagged. */
  isRooted(element: PDFDict | undefined): boolean {
    return this.roots.find(element) ?? false
  }

  /** The value of a key of the parent tree: an element, or an array of elements by MCID. */
  parentEntry(key: number | undefined): PDFObject | undefined {
    if (key === undefined) return undefined
    this.parents ??= new Map(
      readNumberTree(this.document, entryOf(this.document, this.root, 'ParentTree')).map(({ key, value }) => [
        key,
        value,
      ]),
    )
    return this.document.peek(this.parents.get(key))
  }

  /** The standard type of an element that is known by its dictionary only. */
  standardTypeOf(dict: PDFDict | undefined): string | undefined {
    return dict && this.roles.standardTypeOf(nameOf(this.document, entryOf(this.document, dict, 'S')))
  }

  private parentTypeIn(dict: PDFDict): string | undefined {
    const type = this.standardTypeOf(dict)
    if (isGrouping(type)) return undefined
    return typeOf(this.document, dict) === 'StructTreeRoot' ? 'StructTreeRoot' : (type ?? '')
  }

  private readElements(): void {
    const stack = this.elementsIn(this.root, {}, false).toReversed()
    const expanded = new Set<StructureElement>()
    for (let element = stack.pop(); element; element = stack.pop()) {
      if (expanded.has(element)) continue
      expanded.add(element)
      this.elements.push(element)
      element.kids = this.elementsIn(element.dict, element.place, true)
      for (const kid of element.kids.toReversed()) stack.push(kid)
    }
  }

  /** Kids that are elements. Below the root, every dictionary is an element. */
  private elementsIn(parent: PDFDict, place: Place, checksType: boolean): StructureElement[] {
    const { document } = this
    return kidsOf(document, parent).flatMap(kid => {
      const dict = plainDict(document, kid)
      return dict && (!checksType || isElement(document, dict)) ? [this.elementOf(dict, kid, place)] : []
    })
  }

  private elementOf(dict: PDFDict, value: PDFObject, parentPlace: Place): StructureElement {
    const known = this.known.get(dict)
    if (known) return known
    const type = nameOf(this.document, entryOf(this.document, dict, 'S'))
    const object = objectOf(value)
    const place = object === undefined ? parentPlace : { object }
    const element = { dict, place, type, standardType: this.roles.standardTypeOf(type), kids: [] }
    this.known.set(dict, element)
    return element
  }
}

/** Returns whether a kid is an element. /Type is optional. */
export function isElement(document: PdfDocument, dict: PDFDict): boolean {
  const type = typeOf(document, dict)
  return type === undefined || type === 'StructElem'
}

/** Returns whether rules on parents and kids look through elements of a type. */
export function isGrouping(type: string | undefined): boolean {
  return type !== undefined && GROUPING.has(type)
}

function typeOf(document: PdfDocument, dict: PDFDict): string | undefined {
  return nameOf(document, entryOf(document, dict, 'Type'))
}

/** The structure element of an annotation or a form field, through its /StructParent. */
export function structParentOf(
  document: PdfDocument,
  tree: StructureTree | undefined,
  dict: PDFDict,
): PDFDict | undefined {
  const key = document.peekNumber(entryOf(document, dict, 'StructParent'))
  return plainDict(document, tree?.parentEntry(key))
}
