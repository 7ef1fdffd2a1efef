import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { kidsOf, readNumberTree } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { entryOf, plainDict } from '../examination/model'
import type { Location } from '../examination/report'
import { RoleMap } from './role-map'
import { isString, locationOf } from './values'

/** Types that only group their kids. Rules on parents and kids look through them. */
const GROUPING = new Set(['NonStruct', 'Div', 'Part'])

/** Maximum number of kids to look at. Only elements with many parents exceed it. */
const MOST_KIDS = 5_000_000

const NO_KIDS: readonly StructureElement[] = []

/** A structure element. Elements in a circle or with several parents exist once. */
export interface StructureElement {
  dict: PDFDict
  location: Location
  /** /S as it is. */
  type: string | undefined
  /** What /S means after role mapping. Undefined if it means no standard type. */
  standardType: string | undefined
  kids: readonly StructureElement[]
  /** It is in the list of all elements. */
  isListed: boolean
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
  private readonly typeNames = new Map<PDFName, string>()
  private parents: Map<number, PDFObject> | undefined
  private kidsLeft = MOST_KIDS

  private constructor(
    private readonly document: PdfDocument,
    readonly root: PDFDict,
  ) {
    this.roles = new RoleMap(document, entryOf(document, root, 'RoleMap'))
    this.languages = new Climb(document, dict => isString(document.peek(dict.get(Name.Lang))) || undefined)
    this.roots = new Climb(document, dict => isRoot(document, dict) || undefined)
    this.parentTypes = new Climb(document, dict => this.parentTypeIn(dict))
    this.readElements()
  }

  /** Undefined if the document has no structure tree. */
  static read(document: PdfDocument): StructureTree | undefined {
    const root = plainDict(document, document.catalog.get(Name.StructTreeRoot))
    return root && new StructureTree(document, root)
  }

  /** The elements have so many parents that some kids were left out. */
  get isIncomplete(): boolean {
    return this.kidsLeft <= 0
  }

  /** Kids, with kids of grouping elements in place of these elements. */
  significantKids(element: StructureElement): readonly StructureElement[] {
    if (!element.kids.some(kid => isGrouping(kid.standardType))) return element.kids
    const kids: StructureElement[] = []
    const seen = new Set([element])
    const stack = element.kids.toReversed()
    for (let kid = stack.pop(); kid && this.kidsLeft-- > 0; kid = stack.pop()) {
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
    return this.parentTypes.find(plainDict(this.document, element.dict.get(Name.P))) ?? ''
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
    return dict && this.roles.standardTypeOf(this.typeOf(dict))
  }

  private parentTypeIn(dict: PDFDict): string | undefined {
    const type = this.standardTypeOf(dict)
    if (isGrouping(type)) return undefined
    return isRoot(this.document, dict) ? 'StructTreeRoot' : (type ?? '')
  }

  private readElements(): void {
    const stack = this.elementsIn(this.root, {}, { checksType: false }).toReversed()
    for (let element = stack.pop(); element; element = stack.pop()) {
      if (element.isListed) continue
      element.isListed = true
      this.elements.push(element)
      element.kids = this.elementsIn(element.dict, element.location, { checksType: true })
      for (let at = element.kids.length - 1; at >= 0; at--) {
        const kid = element.kids[at]
        if (kid && !kid.isListed) stack.push(kid)
      }
    }
  }

  /** Kids that are elements. Below the root, every dictionary is an element. */
  private elementsIn(
    parent: PDFDict,
    location: Location,
    { checksType }: { checksType: boolean },
  ): readonly StructureElement[] {
    const { document } = this
    const elements: StructureElement[] = []
    for (const kid of kidsOf(document, parent)) {
      if (this.kidsLeft-- <= 0) break
      const dict = document.peek(kid)
      if (dict instanceof PDFDict && (!checksType || isElement(document, dict)))
        elements.push(this.known.get(dict) ?? this.makeElement(dict, kid, location))
    }
    return elements.length > 0 ? elements : NO_KIDS
  }

  private makeElement(dict: PDFDict, value: PDFObject, parentPlace: Location): StructureElement {
    const type = this.typeOf(dict)
    const location = value === dict ? parentPlace : locationOf(value)
    const element = {
      dict,
      location,
      type,
      standardType: this.roles.standardTypeOf(type),
      kids: NO_KIDS,
      isListed: false,
    }
    this.known.set(dict, element)
    return element
  }

  /** /S. Decodes each name once. */
  private typeOf(dict: PDFDict): string | undefined {
    const name = this.document.peek(dict.get(Name.S))
    if (!(name instanceof PDFName)) return undefined
    const type = this.typeNames.get(name) ?? name.decodeText()
    this.typeNames.set(name, type)
    return type
  }
}

/** Returns whether a kid is an element. /Type is optional. */
export function isElement(document: PdfDocument, dict: PDFDict): boolean {
  const type = document.peek(dict.get(Name.Type))
  return type === Name.StructElem || !(type instanceof PDFName)
}

/** Returns whether rules on parents and kids look through elements of a type. */
export function isGrouping(type: string | undefined): boolean {
  return type !== undefined && GROUPING.has(type)
}

function isRoot(document: PdfDocument, dict: PDFDict): boolean {
  return document.peek(dict.get(Name.Type)) === Name.StructTreeRoot
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

/**
 * A fact that structure elements take from the nearest ancestor that decides it, or decide themselves. Ancestors are
 * found through /P. Remembers all results, so that deep trees are climbed once.
 */
class Climb<Fact> {
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
