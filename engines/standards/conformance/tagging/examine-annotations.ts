import type { PDFDict, PDFObject } from 'pdf-lib'
import { annotationsOf } from '../../../pdf/annotations'
import type { Page } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import { entryOf, plainDict } from '../examination/model'
import { ANNOTATION_RULES, FIELD_RULES, PAGE_RULES, SUBTYPE_RULES } from './annotation-rules'
import type { AnnotationSubject } from './annotation-rules'
import { fieldsIn } from './fields-in'
import { structParentOf } from './structure-tree'
import type { StructureTree } from './structure-tree'
import { hasCatalogLanguage, hasString, locationOf, textEntry } from './values'

const HIDDEN = 2

/** Checks the annotations of all pages, and all form fields. */
export function examineAnnotations(examination: Examination, tree: StructureTree | undefined): void {
  new AnnotationExaminer(examination, tree).run()
}

type Corners = [left: number, bottom: number, right: number, top: number]

class AnnotationExaminer {
  private readonly hasCatalogLanguage: boolean
  private readonly seen = new Set<PDFDict>()

  constructor(
    private readonly examination: Examination,
    private readonly tree: StructureTree | undefined,
  ) {
    this.hasCatalogLanguage = hasCatalogLanguage(examination.document)
  }

  run(): void {
    const { document } = this.examination
    for (const [index, page] of document.pages.entries()) this.examinePage(page, index + 1)
    this.examineFields()
  }

  private examinePage(page: Page, number: number): void {
    const { document } = this.examination
    const annotations = annotationsOf(document, page).filter(value => plainDict(document, value))
    const tabs = document.peekName(entryOf(document, page.dict, 'Tabs'))
    const subject = { hasAnnotations: annotations.length > 0, tabs }
    this.examination.apply(PAGE_RULES, subject, locationOf(page.ref, number))
    if (annotations.length === 0) return
    const crop = this.cropBoxOf(page)
    for (const value of annotations) this.examineAnnotation(value, crop, number)
  }

  private examineAnnotation(value: PDFObject, crop: Corners | undefined, page: number): void {
    const { examination } = this
    const dict = plainDict(examination.document, value)
    if (!dict || this.seen.has(dict)) return
    this.seen.add(dict)
    const subject = this.describe(dict, crop)
    const location = locationOf(value, page)
    examination.apply(ANNOTATION_RULES, subject, location)
    const rules = subject.subtype === undefined ? undefined : SUBTYPE_RULES.get(subject.subtype)
    if (rules) examination.apply(rules, subject, location)
  }

  private describe(dict: PDFDict, crop: Corners | undefined): AnnotationSubject {
    const { document } = this.examination
    const structParent = structParentOf(document, this.tree, dict)
    const flags = document.peekNumber(entryOf(document, dict, 'F')) ?? 0
    const field = hasString(document, dict, 'T') ? dict : document.peekDict(entryOf(document, dict, 'Parent'))
    return {
      dict,
      subtype: document.peekName(entryOf(document, dict, 'Subtype')),
      isInvisible: (flags & HIDDEN) !== 0 || isOutside(this.cornersOf(entryOf(document, dict, 'Rect')), crop),
      contents: textEntry(document, dict, 'Contents'),
      fieldName: textEntry(document, field, 'TU'),
      structParent,
      structParentType: this.tree?.standardTypeOf(structParent),
      alternate: textEntry(document, structParent, 'Alt'),
      hasLanguage: this.hasLanguage(structParent),
    }
  }

  private hasLanguage(structParent: PDFDict | undefined): boolean {
    return this.hasCatalogLanguage || hasString(this.examination.document, structParent, 'Lang')
  }

  /** The crop box, cut to the media box. Corners stay in the order of the file. */
  private cropBoxOf(page: Page): Corners | undefined {
    const media = this.cornersOf(page.attribute(Name.MediaBox))
    const crop = this.cornersOf(page.attribute(Name.CropBox))
    if (!media || !crop) return crop ?? media
    return [
      Math.max(crop[0], media[0]),
      Math.max(crop[1], media[1]),
      Math.min(crop[2], media[2]),
      Math.min(crop[3], media[3]),
    ]
  }

  private cornersOf(value: PDFObject | undefined): Corners | undefined {
    const { document } = this.examination
    const numbers = document.peekArray(value)?.asArray().slice(0, 4) ?? []
    const [left, bottom, right, top] = numbers.map(number => document.peekNumber(number))
    if (left === undefined || bottom === undefined || right === undefined || top === undefined) return undefined
    return [left, bottom, right, top]
  }

  private examineFields(): void {
    const { document } = this.examination
    for (const { dict, location } of fieldsIn(document)) {
      const name = textEntry(document, dict, 'TU')
      const hasLanguage = name !== undefined && this.hasLanguage(structParentOf(document, this.tree, dict))
      this.examination.apply(FIELD_RULES, { name, hasLanguage }, location)
    }
  }
}

function isOutside(rectangle: Corners | undefined, crop: Corners | undefined): boolean {
  if (!rectangle || !crop) return false
  return crop[1] >= rectangle[3] || crop[0] >= rectangle[2] || crop[3] <= rectangle[1] || crop[2] <= rectangle[0]
}
