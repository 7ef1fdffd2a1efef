import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { findTool } from '../../engines/tools/registry'
import { makeApplication } from '../fixtures/forms'
import { readElectronicInvoice } from '../fixtures/e-invoice'

interface DocumentOptions {
  pages?: number
  /** Incompressible bytes on the first page. */
  ballastBytes?: number
  /** Text of each page. The default is `Page N`. */
  text?: (pageNumber: number) => string
}

/** A PDF written without the service's own writer. The same options produce the same bytes. */
export function makePdf({
  pages = 5,
  ballastBytes = 0,
  text = pageNumber => `Page ${pageNumber}`,
}: DocumentOptions = {}): Buffer {
  const pageNumbers = Array.from({ length: pages }, (_, index) => index + 1)
  const pageObject = (pageNumber: number) => 4 + 2 * pageNumber
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${pageNumbers.map(number => `${pageObject(number)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    writeStream(makeBallast(ballastBytes), '/Type /Ballast'),
    '<< /Title (A document of the contract tests) >>',
    ...pageNumbers.flatMap(number => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${pageObject(number) + 1} 0 R /Resources << ` +
        `/Font << /F1 3 0 R >> >>${number === 1 ? ' /PieceInfo << /Sheaf << /Private 4 0 R >> >>' : ''} >>`,
      writeStream(Buffer.from(`BT /F1 24 Tf 72 720 Td (${text(number)}) Tj ET`)),
    ]),
  ]
  return writeFile(objects, '/Root 1 0 R /Info 5 0 R')
}

/** Files that suit the examples of a tool, in the order in which they are sent. Most are a PDF of five pages. */
export function makeFilesFor(toolId: string): { name: string; bytes: Buffer }[] {
  if (toolId === 'pipeline') return [sample('letter.pdf'), sample('terms.pdf')] // Its steps name them.
  const tool = findTool(toolId)
  if (tool?.accepts === 'images') return [sample('receipt.jpg'), sample('chart.png')]
  const own = { name: 'contract.pdf', bytes: makePdfFor(toolId) }
  if (tool?.files !== 'many') return [own]
  return [own, { name: 'another.pdf', bytes: makePdf({ pages: 2, text: pageNumber => `Other ${pageNumber}` }) }]
}

/** A document that suits the examples of a tool. */
function makePdfFor(toolId: string): Buffer {
  if (toolId === 'read-invoice') return readElectronicInvoice()
  if (toolId === 'split-pdf') return sample('report.pdf').bytes // It has bookmarks.
  if (toolId === 'unlock-pdf') return sample('locked.pdf').bytes
  return toolId === 'form-filler' ? makeApplication() : makePdf()
}

function sample(name: string): { name: string; bytes: Buffer } {
  return { name, bytes: readFileSync(`public/samples/${name}`) }
}

/** A PDF with a wrong offset of its cross-reference table. A reader has to rebuild the table. */
export function makeMisplacedPdf(): Buffer {
  return Buffer.from(
    makePdf()
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'latin1',
  )
}

/** A PDF that declares encryption. Without a password, a reader can only read the number of its pages. */
export function makeEncryptedPdf(): Buffer {
  const text = makePdf().toString('latin1')
  const secret = `<${'5a'.repeat(32)}>`
  return Buffer.from(
    text.replace(
      'trailer\n<<',
      `trailer\n<< /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${secret} /U ${secret} >> /ID [<00> <00>]`,
    ),
    'latin1',
  )
}

/** Data that begins like a PDF and has no objects. */
export function makeDamagedPdf(): Buffer {
  return Buffer.from('%PDF-1.7\nnothing of this is a document\n%%EOF\n')
}

function writeFile(objects: (string | Buffer)[], trailer: string): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let offset = pieces[0]?.length ?? 0
  const add = (piece: Buffer) => {
    pieces.push(piece)
    offset += piece.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(offset)
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]))
  }
  const rows = offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} ` +
        `${trailer} >>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(pieces)
}

function writeStream(bytes: Buffer, entries = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** Pseudorandom bytes from a chain of hashes. The bytes are the same each time. */
function makeBallast(byteLength: number): Buffer {
  const ballast = Buffer.alloc(byteLength)
  const block = Buffer.alloc(Math.min(byteLength, 2 ** 20))
  for (let at = 0, state = createHash('sha256').update('ballast').digest(); at < block.length; at += state.length) {
    state.copy(block, at)
    state = createHash('sha256').update(state).digest()
  }
  for (let at = 0; at < byteLength; at += block.length) block.copy(ballast, at)
  return ballast
}
