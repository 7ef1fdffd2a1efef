import { randomBytes } from 'node:crypto'
import { writeZip, type ZipDraft } from '../../fixtures/zip-writer'
import { BOUNDARY } from '../client'
import { FORM_HEADERS, type HostileRequest, writePart } from './hostile-request'

const PAGE: ZipDraft = { name: 'index.html', content: '<p>Page' }
/** Ends an archive in an error, so that no browser prints its page. */
const WRONG: ZipDraft = { name: 'wrong.html', content: 'a', local: { checksum: 1 }, central: { checksum: 1 } }

const ARCHIVES: Record<string, () => ZipDraft[]> = {
  'a large file of zeros': () => [{ name: 'zeros.bin', content: Buffer.alloc(60_000_000) }],
  'a large stored file': () => [{ name: 'random.bin', content: randomBytes(10_000_000), isStored: true }],
  'many small files': () => fill(1900, index => ({ name: `${index}.txt`, content: 'text' })),
  'many files of the same name': () => fill(1900, () => ({ name: 'same.txt', content: 'text' })),
  'long names': () => fill(1000, index => ({ name: `${'a/'.repeat(5000)}${index}`, content: '' })),
  'overlapping files': () => fill(1900, () => ({ name: 'a.txt', content: '', central: { headerStart: 0 } })),
}

/** Zipped web pages that keep a careless reader busy and end in an error. */
export function* listArchiveRequests(): Generator<HostileRequest> {
  const path = '/api/external/webpage-to-pdf/pdf'
  for (const [value, list] of Object.entries(ARCHIVES)) {
    const part = writePart('name="file"; filename="page.zip"', writeZip([PAGE, ...list(), WRONG]))
    const body = () => Buffer.concat([part, Buffer.from(`--${BOUNDARY}--\r\n`)])
    yield { endpoint: 'webpage-to-pdf', field: 'file', value, path, headers: FORM_HEADERS, body }
  }
}

function fill(count: number, write: (index: number) => ZipDraft): ZipDraft[] {
  return Array.from({ length: count }, (_, index) => write(index))
}
