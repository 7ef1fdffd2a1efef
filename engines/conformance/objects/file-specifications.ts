import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNull, PDFRawStream, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readNameTree } from '../../pdf-core/document/name-tree'
import type { PdfDocument } from '../../pdf-core/document/document'
import { walkDictionaries } from '../../pdf-core/document/walk-dictionaries'
import type { ContentListener, Scene } from '../content/scene'
import type { Examination } from '../examination'
import { entryOf, nameOf, objectOf, plainDict } from '../model'
import type { Place } from '../report'
import type { Rule } from '../rules'
import { EmbeddedFiles } from './embedded-files'
import type { ValidateEmbedded } from './embedded-files'
import type { NotableObjects } from './walk-objects'

/** A file specification dictionary (ISO 32000-1, 7.11.3). */
export interface FileSpecification {
  document: PdfDocument
  dict: PDFDict
  /** Whether an /AF entry refers to it. */
  isAssociated: boolean
}

/** Rules for file specifications. */
export const SPECIFICATION_RULES: readonly Rule<FileSpecification>[] = [
  {
    in: { 'pdfa-1': '6.1.11-1' },
    message: 'File specifications must not contain embedded files (/EF).',
    check: subject => (containsFile(subject) ? '/EF' : undefined),
  },
  {
    in: { 'pdfa-2': '6.8-2', 'pdfa-3': '6.8-2' },
    message: 'The file specification of an embedded file must have /F and /UF.',
    check: subject => (containsFile(subject) ? missingName(subject, false) : undefined),
  },
  {
    in: { 'pdfua-1': '7.11-1' },
    message: "The file specification of an embedded file must have /F and /UF that aren't empty.",
    check: subject => (containsFile(subject) ? missingName(subject, true) : undefined),
  },
  {
    in: { 'pdfa-3': '6.8-3' },
    message: 'File specifications must have the name /AFRelationship.',
    check: ({ document, dict }) =>
      nameOf(document, dict.get(PDFName.of('AFRelationship'))) === undefined ? 'no /AFRelationship' : undefined,
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

function missingName({ document, dict }: FileSpecification, refusesEmpty: boolean): string | undefined {
  for (const key of ['F', 'UF']) {
    const value = entryOf(document, dict, key)
    if (!(value instanceof PDFString || value instanceof PDFHexString)) return `no /${key}`
    if (refusesEmpty && value.asBytes().length === 0) return `empty /${key}`
  }
  return undefined
}

/** Finds the file specifications of a document, and what they are associated with. */
export class FileSpecifications implements ContentListener {
  private readonly associated = new Set<string>()

  constructor(
    private readonly examination: Examination,
    private readonly notable: NotableObjects,
    private readonly validateEmbedded: ValidateEmbedded | undefined,
  ) {
    const { document } = examination
    for (const ref of notable.associations) {
      const object = document.peek(ref)
      if (object) for (const dict of walkDictionaries(object)) this.associate(entryOf(document, dict, 'AF'))
    }
  }

  /** Marked content may have associated files (ISO 32000-2, 14.13.5). */
  operator(scene: Scene): void {
    const { reader } = scene
    if (reader.operator === 'BDC' && reader.nameAt(reader.operands.count - 2) === 'AF')
      this.associate(scene.document.peek(scene.resource('Properties', reader.name)))
  }

  finish(): void {
    const { examination, notable } = this
    const { document } = examination
    const files = new EmbeddedFiles(examination, this.validateEmbedded)
    const checked = new Set<PDFDict>()
    const check = (dict: PDFDict, ref: PDFObject | undefined, place: Place): void => {
      if (checked.has(dict)) return
      checked.add(dict)
      const isAssociated = ref instanceof PDFRef && this.associated.has(ref.tag)
      examination.apply(SPECIFICATION_RULES, { document, dict, isAssociated }, place)
      files.check(dict, place)
    }
    for (const ref of notable.fileSpecifications) {
      const object = document.peek(ref)
      const place = { object: objectOf(ref) ?? '' }
      if (!object || object instanceof PDFRawStream) continue
      for (const dict of walkDictionaries(object))
        if (nameOf(document, dict.get(PDFName.of('Type'))) === 'Filespec')
          check(dict, dict === object ? ref : undefined, place)
    }
    const names = plainDict(document, entryOf(document, document.catalog, 'Names'))
    for (const { value } of readNameTree(document, names?.get(PDFName.of('EmbeddedFiles')))) {
      const dict = document.peekDict(value)
      const object = objectOf(value)
      if (dict) check(dict, value, object === undefined ? {} : { object })
    }
  }

  private associate(files: PDFObject | undefined): void {
    if (!(files instanceof PDFArray)) return
    for (const file of files.asArray()) if (file instanceof PDFRef) this.associated.add(file.tag)
  }
}
