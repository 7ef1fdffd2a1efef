import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import type { Report } from '../../../../../engines/standards/conformance/examination/report'
import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { listBrokenRules, validateFile } from '../../../../support/conformance'

/** A stream of a test file: the entries of its dictionary, and its data. */
export type StreamPart = [entries: string, data: string | Uint8Array]

/** A file with one page. In all texts, `@name` is a reference to the object with that name. */
export interface SmallPdf {
  content?: string
  /** Entries of the page's resource dictionary. */
  resources?: string
  /** If true, the page inherits its resources from the page tree. */
  inherits?: boolean
  /** Entries of the page and of the catalog. */
  page?: string
  catalog?: string
  objects?: Record<string, string | StreamPart>
}

/** Writes the file. */
export function writeSmallPdf({
  content = '',
  resources = '',
  inherits,
  page,
  catalog,
  objects = {},
}: SmallPdf): Buffer {
  const pdf = new PdfWriter()
  const [root, tree, leaf, stream] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()]
  const numbers = new Map(Object.keys(objects).map(name => [name, pdf.reserve()]))
  const link = (text = ''): string => text.replace(/@(\w+)/g, (_match, name: string) => `${numbers.get(name) ?? 0} 0 R`)
  const own = `/Resources<<${link(resources)}>>`
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R${link(catalog)}>>`)
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${leaf} 0 R]${inherits ? own : ''}>>`)
  const entries = `${inherits ? '' : own}${link(page)}`
  pdf.set(leaf, `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 9 9]/Contents ${stream} 0 R${entries}>>`)
  pdf.set(stream, { dictionary: '', data: Buffer.from(content, 'latin1') })
  for (const [name, body] of Object.entries(objects)) {
    const number = numbers.get(name) ?? 0
    if (typeof body === 'string') pdf.set(number, link(body))
    else
      pdf.set(number, {
        dictionary: link(body[0]),
        data: typeof body[1] === 'string' ? Buffer.from(body[1], 'latin1') : body[1],
      })
  }
  return pdf.write({ root })
}

/** Validates the file. */
export function validateSmallPdf(file: SmallPdf, profile: ProfileId): Report {
  return validateFile(writeSmallPdf(file), profile)
}

/** The rules that the file breaks, such as `6.2.3-1`. */
export function brokenRules(file: SmallPdf, profile: ProfileId): string[] {
  return listBrokenRules(writeSmallPdf(file), profile)
}

/** A rule in one profile with a file that breaks it and a file that doesn't. */
export type RuleCase = [name: string, profile: ProfileId, rule: string, broken: SmallPdf, valid: SmallPdf]

/** An ICC profile that has only a header. */
export function iccProfile(space = 'RGB ', { version = 2, kind = 'mntr' } = {}): Buffer {
  const bytes = Buffer.alloc(132)
  bytes.writeUInt8(version, 8)
  bytes.write(kind, 12, 'latin1')
  bytes.write(space, 16, 'latin1')
  return bytes
}

/** A catalog entry and an object for a PDF/A output intent. */
export function outputIntent(space = 'RGB ', components = 3): Pick<SmallPdf, 'catalog' | 'objects'> {
  return {
    catalog: '/OutputIntents[<</S/GTS_PDFA1/DestOutputProfile @profile>>]',
    objects: { profile: [`/N ${components}`, iccProfile(space)] },
  }
}
