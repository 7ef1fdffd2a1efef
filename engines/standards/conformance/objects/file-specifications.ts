import { PDFArray, PDFHexString, PDFNull, PDFRef, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { readNameTree, walkDictionaries } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import type { ContentVisitor, StreamWalk } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { entryOf, objectOf, plainDict } from '../examination/model'
import type { Rule } from '../examination/rules'
import { EMBEDDED_FILE_RULES, EmbeddedFiles } from './embedded-files'
import type { ValidateEmbedded } from './embedded-files'
import type { Part } from './part'
import type { NotableObjects } from './walk-objects'
import * as Name from '../../../pdf/names'

/** A file specification dictionary (ISO 32000-1, 7.11.3). */
export interface FileSpecification {
  document: PdfDocument
  dict: PDFDict
  /** Whether an /AF entry refers to it. */
  isAssociated: boolean
}

/** Rules for file specifications. */
const SPECIFICATION_RULES: readonly Rule<FileSpecification>[] = [
  {
    in: { 'pdfa-1': '6.1.11-1' },
    message: 'File specifications must not contain embedded files (/EF).',
    check: subject => (containsFile(subject) ? '/EF' : undefined),
  },
  {
    in: { 'pdfa-2': '6.8-2', 'pdfa-3': '6.8-2' },
    message: 'The file specification of an embedded file must have /F and /UF.',
    check: subject => (containsFile(subject) ? missingName(subject, { refusesEmpty: false }) : undefined),
  },
  {
    in: { 'pdfua-1': '7.11-1' },
    message: "The file specification of an embedded file must have /F and /UF that aren't empty.",
    check: subject => (containsFile(subject) ? missingName(subject, { refusesEmpty: true }) : undefined),
  },
  {
    in: { 'pdfa-3': '6.8-3' },
    message: 'File specifications must have the name /AFRelationship.',
    check: ({ document, dict }) =>
      document.peekName(dict.get(Name.AFRelationship)) === undefined ? 'no /AFRelationship' : undefined,
  },
  {
    in: { 'pdfa-3': '6.8-4' },
    message: 'File specifications must be associated with the document or a part of it (/AF).',
    check: ({ isAssociated }) => (isAssociated ? undefined : 'not in any /AF'),
  },
]

function containsFile({ document, dict }: FileSpecification): boolean {
  const value = entryOf(document, dict, 'EF')
  return value !== undefined && value !== PDFNull
}

/** What is wrong with the two file names, such as `no /UF`. Undefined if both are right. */
function missingName(
  { document, dict }: FileSpecification,
  { refusesEmpty }: { refusesEmpty: boolean },
): string | undefined {
  for (const key of ['F', 'UF']) {
    const value = entryOf(document, dict, key)
    if (!(value instanceof PDFString || value instanceof PDFHexString)) return `no /${key}`
    if (refusesEmpty && value.asBytes().length === 0) return `empty /${key}`
  }
  return undefined
}

/** Checks the file specifications of a document. What they are associated with is only known after the content. */
export class FileSpecifications implements Part {
  readonly listener: ContentVisitor = { operator: walk => this.readOperator(walk) }
  private readonly associated = new Set<string>()
  private readonly checked = new Set<PDFDict>()
  private readonly files: EmbeddedFiles

  constructor(
    private readonly examination: Examination,
    private readonly notable: NotableObjects,
    validateEmbedded: ValidateEmbedded | undefined,
  ) {
    this.files = new EmbeddedFiles(examination, validateEmbedded)
  }

  start(): void {
    const { document } = this.examination
    for (const ref of this.notable.associations) {
      const object = document.peek(ref)
      if (object) for (const dict of walkDictionaries(object)) this.associate(entryOf(document, dict, 'AF'))
    }
  }

  finish(): void {
    if (!this.notable.isComplete) this.leaveUndecided()
    for (const ref of this.notable.fileSpecifications) this.checkObject(ref)
    const { document } = this.examination
    const names = plainDict(document, entryOf(document, document.catalog, 'Names'))
    for (const { value } of readNameTree(document, names?.get(Name.EmbeddedFiles))) {
      const dict = document.peekDict(value)
      if (dict) this.check(dict, value)
    }
  }

  leaveUndecided(): void {
    this.examination.leaveUndecided(SPECIFICATION_RULES)
    this.examination.leaveUndecided(EMBEDDED_FILE_RULES)
  }

  private checkObject(ref: PDFRef): void {
    const { document } = this.examination
    const object = document.peek(ref)
    if (!object) return
    for (const dict of walkDictionaries(object))
      if (document.peekName(dict.get(Name.Type)) === 'Filespec') this.check(dict, ref, dict === object)
  }

  /** `owner` is the closest indirect object. /AF entries can only refer to a dictionary that is one itself. */
  private check(dict: PDFDict, owner: PDFObject, isIndirect = true): void {
    if (this.checked.has(dict)) return
    this.checked.add(dict)
    const { document } = this.examination
    const object = objectOf(owner)
    const location = object === undefined ? {} : { object }
    const isAssociated = isIndirect && owner instanceof PDFRef && this.associated.has(owner.tag)
    this.examination.apply(SPECIFICATION_RULES, { document, dict, isAssociated }, location)
    this.files.check(dict, location)
  }

  /** Marked content may have associated files (ISO 32000-2, 14.13.5). */
  private readOperator(walk: StreamWalk): void {
    const { reader } = walk
    if (reader.operator === 'BDC' && reader.nameAt(reader.operands.count - 2) === 'AF')
      this.associate(walk.document.peek(walk.resource('Properties', reader.name)))
  }

  private associate(files: PDFObject | undefined): void {
    if (!(files instanceof PDFArray)) return
    for (const file of files.asArray()) if (file instanceof PDFRef) this.associated.add(file.tag)
  }
}
