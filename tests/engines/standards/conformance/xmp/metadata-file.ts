import { Examination } from '../../../../../engines/standards/conformance/examination/examination'
import { examineMetadata } from '../../../../../engines/standards/conformance/xmp/examine-metadata'
import { NAMESPACES } from '../../../../../engines/standards/conformance/xmp/namespaces'
import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import type { PdfDocument } from '../../../../../engines/pdf/document/document'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { LIMITS } from '../../../../support/run-on'

const DECLARATIONS = Object.entries(NAMESPACES)
  .filter(([prefix]) => prefix !== 'xml')
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join('')

/** What a test file is made of. By default, it has a packet without properties and no information dictionary. */
export interface MetadataFile {
  /** The packet, or null for none. */
  packet?: string | Uint8Array | null
  /** Entries of the metadata stream's dictionary. */
  entries?: string
  /** Entries of the information dictionary. */
  info?: string
  /** Entries of the catalog. */
  catalog?: string
  /** The metadata stream of the page. */
  pagePacket?: string
}

/** A packet with the given properties, written as elements. */
export function packetOf(properties: string, header = 'begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"'): string {
  const content = `<rdf:Description rdf:about="" xmlns:my="urn:my">${properties}</rdf:Description>`
  const rdf = `<x:xmpmeta${DECLARATIONS}><rdf:RDF xmlns:none="urn:none">${content}</rdf:RDF></x:xmpmeta>`
  return `<?xpacket ${header}?>${rdf}<?xpacket end="w"?>`
}

/** Properties that identify a part of PDF/A. */
export function claim(part: number, level: string): string {
  return `<pdfaid:part>${part}</pdfaid:part><pdfaid:conformance>${level}</pdfaid:conformance>`
}

/** One item in an array of RDF. */
export function arrayOf(kind: 'Bag' | 'Seq' | 'Alt', ...items: string[]): string {
  return `<rdf:${kind}>${items.map(item => `<rdf:li>${item}</rdf:li>`).join('')}</rdf:${kind}>`
}

/** Text in the default language. */
export function langAlt(text: string): string {
  return `<rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt>`
}

/** Writes and opens a file of one page. */
export function openFile(file: MetadataFile): { document: PdfDocument; bytes: Uint8Array } {
  const pdf = new PdfWriter()
  const [root, tree, page] = [pdf.reserve(), pdf.reserve(), pdf.reserve()]
  const { packet = packetOf(''), entries = '/Type/Metadata/Subtype/XML' } = file
  const main = packet === null ? '' : `/Metadata ${pdf.addPlainStream(entries, bytesOf(packet))} 0 R`
  const own =
    file.pagePacket === undefined ? undefined : pdf.addStream('/Type/Metadata/Subtype/XML', bytesOf(file.pagePacket))
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R${main}${file.catalog ?? ''}>>`)
  pdf.set(tree, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  pdf.set(page, `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 9 9]/Resources<<>>${own ? `/Metadata ${own} 0 R` : ''}>>`)
  const info = file.info === undefined ? '' : `/Info ${pdf.add(`<<${file.info}>>`)} 0 R`
  const bytes = pdf.write({ root, trailer: info })
  return { document: openDocument(bytes, LIMITS), bytes }
}

/** The numbers of the rules that a file breaks. */
export function brokenRules(profile: ProfileId, file: MetadataFile): string[] {
  const { document, bytes } = openFile(file)
  const examination = new Examination(document, bytes, profile)
  examineMetadata(examination)
  return examination.report().failures.map(({ clause, test }) => `${clause}-${test}`)
}

/** The numbers of the rules that a file with these properties breaks. It claims the profile. */
export function brokenBy(profile: ProfileId, properties: string): string[] {
  const part = Number(profile.charAt('pdfa-'.length))
  return brokenRules(profile, { packet: packetOf(claim(part, 'B') + properties) })
}

function bytesOf(packet: string | Uint8Array): Uint8Array {
  return typeof packet === 'string' ? Buffer.from(packet, 'utf8') : packet
}
