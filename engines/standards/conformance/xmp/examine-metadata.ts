import { PDFArray, PDFName } from 'pdf-lib'
import type { PDFDict, PDFRawStream } from 'pdf-lib'
import { isEngineError } from '../../../errors'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import { entryOf, plainDict, streamOf, objectOf } from '../examination/model'
import type { Location } from '../examination/report'
import type { Rule } from '../examination/rules'
import type { Area } from '../examination/area'
import { EXTENSION_RULES, examineExtensions } from './extension-rules'
import { readExtensionSchemas } from './extension-schemas'
import type { ExtensionSchemas } from './extension-schemas'
import { hasPropertyOf, MAIN_PACKAGE_RULES, PDFA_RULES, PDFUA_RULES } from './identification-rules'
import { INFO_RULES } from './info-rules'
import { NAMESPACES } from './namespaces'
import { PACKAGE_RULES, PROPERTY_RULES, typeOf } from './package-rules'
import type { Edition } from './value-types'
import { readPackage } from './xmp-package'
import type { XmpPackage } from './xmp-package'
import { walkDictionaries } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'

const { pdfaid, pdfuaid, xmpMM } = NAMESPACES

const CATALOG_RULES: Rule<MetadataStream | undefined>[] = [
  {
    in: { 'pdfa-1': '6.7.2-1', 'pdfa-2': '6.6.2.1-1', 'pdfa-3': '6.6.2.1-1', 'pdfua-1': '7.1-8' },
    message: 'The document catalog must have /Metadata with /Type /Metadata and /Subtype /XML.',
    check: metadata => (metadata ? undefined : 'no such stream'),
  },
  {
    in: { 'pdfa-1': '6.7.2-2' },
    message: 'The metadata stream of the document catalog must not have a filter.',
    check(metadata, { document }) {
      const filter = entryOf(document, metadata?.stream.dict, 'Filter')
      if (filter instanceof PDFName) return filter.toString()
      if (!(filter instanceof PDFArray)) return undefined
      return filter.asArray().some(item => document.peek(item) instanceof PDFName) ? filter.toString() : undefined
    },
  },
]

/** A property whose texts are alternatives by language. */
interface Alternatives {
  label: string
  hasOnlyDefault: boolean
}

const LANGUAGE_RULES: Rule<Alternatives>[] = [
  {
    in: { 'pdfua-1': '7.2-33' },
    message: 'Metadata must state its language, or the document catalog must have /Lang.',
    check: ({ label, hasOnlyDefault }, { document }) =>
      hasOnlyDefault && !document.catalog.has(Name.Lang) ? `${label} only in x-default` : undefined,
  },
]

const MAIN_RULES = [MAIN_PACKAGE_RULES, PDFA_RULES, PDFUA_RULES]
const ALL_PACKAGE_RULES = [PACKAGE_RULES, PROPERTY_RULES, LANGUAGE_RULES, ...Object.values(EXTENSION_RULES)]

/** Checks XMP metadata and the information dictionary. */
export function examineMetadata(examination: Examination): Area {
  try {
    new MetadataExamination(examination).run()
  } catch (error) {
    if (!isEngineError(error)) throw error
    leaveUndecided(examination, [CATALOG_RULES, INFO_RULES, ...MAIN_RULES, ...ALL_PACKAGE_RULES])
  }
  return {}
}

class MetadataExamination {
  private readonly edition: Edition
  private readonly packages = new Map<PDFRawStream, XmpPackage | undefined>()
  private documentSchemas: ExtensionSchemas = new Map()

  constructor(private readonly examination: Examination) {
    this.edition = examination.profile.family === 'pdfa-1' ? 2004 : 2005
  }

  run(): void {
    const { document } = this.examination
    const metadata = metadataOf(document, document.catalog)
    this.examination.apply(CATALOG_RULES, metadata, metadata?.location)
    if (metadata) this.examineMain(metadata)
    this.examineInformation(document.catalog)
    // In PDF/A-1, only the document's metadata has requirements.
    if (this.edition === 2004) return
    for (const other of listObjectMetadata(document))
      if (other.stream !== metadata?.stream) this.examinePackage(other, this.documentSchemas)
  }

  private examineMain(metadata: MetadataStream): void {
    const main = this.examinePackage(metadata, new Map())
    const { examination } = this
    if (!main) return leaveUndecided(examination, MAIN_RULES)
    this.documentSchemas = readExtensionSchemas(main.extensions, this.edition, new Map())
    examination.apply(MAIN_PACKAGE_RULES, main, metadata.location)
    if (hasPropertyOf(main, pdfaid)) examination.apply(PDFA_RULES, main, metadata.location)
    if (hasPropertyOf(main, pdfuaid)) examination.apply(PDFUA_RULES, main, metadata.location)
  }

  /** Returns the package. Undefined if it is too large. */
  private examinePackage({ stream, location }: MetadataStream, inherited: ExtensionSchemas): XmpPackage | undefined {
    const { examination } = this
    const source = this.read(stream)
    if (!source) {
      leaveUndecided(examination, ALL_PACKAGE_RULES)
      return undefined
    }
    examination.apply(PACKAGE_RULES, source, location)
    this.examineLanguages(source, location)
    if (!examination.has(PROPERTY_RULES)) return source
    const schemas = readExtensionSchemas(source.extensions, this.edition, inherited)
    if (source.extensions) examineExtensions(examination, source.extensions, schemas, location)
    for (const property of source.properties)
      examination.apply(PROPERTY_RULES, typeOf(property, this.edition, [schemas, inherited]), location)
    return source
  }

  private examineLanguages({ properties }: XmpPackage, location: Location): void {
    if (!this.examination.has(LANGUAGE_RULES)) return
    for (const { namespace, name, label, children } of properties) {
      const isHistory = namespace === xmpMM && name === 'History'
      if (isHistory || children.length === 0 || children.some(({ language }) => language === undefined)) continue
      const hasOnlyDefault = children.length === 1 && children[0]?.language === 'x-default'
      this.examination.apply(LANGUAGE_RULES, { label, hasOnlyDefault }, location)
    }
  }

  /** Compares the information dictionary with any stream in the catalog's /Metadata, even if it has no /Type. */
  private examineInformation(catalog: PDFDict): void {
    const { examination } = this
    const { document } = examination
    const dict = plainDict(document, document.source.table.trailer.get(Name.Info))
    if (!dict || !examination.has(INFO_RULES)) return
    const stream = streamOf(document, catalog.get(Name.Metadata))
    const main = stream ? this.read(stream) : { properties: [] }
    if (main) examination.apply(INFO_RULES, { document, dict, main })
    else examination.leaveUndecided(INFO_RULES)
  }

  /** Reads a metadata stream once. Undefined if it is too large. */
  private read(stream: PDFRawStream): XmpPackage | undefined {
    if (this.packages.has(stream)) return this.packages.get(stream)
    const source = readUpToLimit(this.examination, stream)
    this.packages.set(stream, source)
    return source
  }
}

function readUpToLimit({ document }: Examination, stream: PDFRawStream): XmpPackage | undefined {
  try {
    return readPackage(document, stream)
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return undefined
    throw error
  }
}

function leaveUndecided(examination: Examination, groups: readonly (readonly Rule<never>[])[]): void {
  for (const rules of groups) examination.leaveUndecided(rules)
}

/** A metadata stream, and where it is. */
interface MetadataStream {
  stream: PDFRawStream
  location: Location
}

/** The stream in an entry /Metadata. Undefined unless the stream says that it is XMP metadata. */
function metadataOf(document: PdfDocument, dict: PDFDict): MetadataStream | undefined {
  const value = dict.get(Name.Metadata)
  const stream = streamOf(document, value)
  if (!stream || document.peekName(stream.dict.get(Name.Type)) !== 'Metadata') return undefined
  if (document.peekName(stream.dict.get(Name.Subtype)) !== 'XML') return undefined
  const object = objectOf(value)
  return { stream, location: object === undefined ? {} : { object } }
}

/** Lists the metadata streams of all objects except the catalog. Each is listed once. */
function listObjectMetadata(document: PdfDocument): MetadataStream[] {
  const found = new Map<PDFRawStream, MetadataStream>()
  for (const ref of document.source.listReferences()) {
    const object = document.peek(ref)
    for (const dict of object ? walkDictionaries(object) : []) {
      if (!dict.has(Name.Metadata) || document.peekName(dict.get(Name.Type)) === 'Catalog') continue
      const metadata = metadataOf(document, dict)
      if (metadata) found.set(metadata.stream, metadata)
    }
  }
  return [...found.values()]
}
