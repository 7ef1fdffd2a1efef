import { writeSize } from '../../elements/byte-size'
import type { PlaygroundEndpoint } from '../request/playground-endpoint'

/** Bytes of a form in addition to its files: boundaries, names, options. */
const FORM_BYTES = 64 * 1024

interface Sized {
  name: string
  size: number
  /** The media type, as the browser derives it from the name. Empty if it doesn't know the type. */
  type: string
}

/** Names and media types of the files that an endpoint takes. */
export interface AcceptedFiles {
  /** In words, such as `a PDF`. */
  kind: string
  /** Several of them in words, such as `PDF files`. */
  several: string
  name: RegExp
  type: RegExp
}

const PDF: AcceptedFiles = {
  kind: 'a PDF',
  several: 'PDF files',
  name: /\.pdf$/i,
  type: /^application\/pdf$/,
}
const WEB_PAGE: AcceptedFiles = {
  kind: 'an HTML file or a ZIP',
  several: 'HTML or ZIP files',
  name: /\.(?:html?|zip)$/i,
  type: /^(?:text\/html|application\/(?:zip|x-zip-compressed))$/,
}

const PDF_OR_XML: AcceptedFiles = {
  kind: 'a PDF or XML file',
  several: 'PDF or XML files',
  name: /\.(?:pdf|xml)$/i,
  type: /^(?:application\/pdf|(?:text|application)\/xml)$/,
}

const IMAGE: AcceptedFiles = {
  kind: 'an image',
  several: 'images',
  name: /\.(?:jpe?g|png|webp|tiff?)$/i,
  type: /^image\/(?:jpeg|png|webp|tiff)$/,
}

const ANY: AcceptedFiles = { kind: 'a file', several: 'files', name: /./, type: /./ }

/** Returns the files that an endpoint takes. */
export function chooseAccepted({ files, accepts }: Pick<PlaygroundEndpoint, 'files' | 'accepts'>): AcceptedFiles {
  if (accepts === 'any') return ANY
  if (accepts === 'images') return IMAGE
  if (accepts === 'pdf-or-xml') return PDF_OR_XML
  return files === 'html' ? WEB_PAGE : PDF
}

/** Returns why a file can't be sent together with the other files, as a sentence. Undefined if it can. */
export function findRefusal(
  file: Sized,
  otherFiles: Sized[],
  { maxBodyBytes, maxFiles, accepted }: { maxBodyBytes: number; maxFiles: number; accepted: AcceptedFiles },
): string | undefined {
  const otherBytes = otherFiles.reduce((sum, { size }) => sum + size, 0)
  const limit = writeSize(maxBodyBytes)
  // The service looks into a file of an unknown type.
  if (file.type !== '' && !accepted.type.test(file.type) && !accepted.name.test(file.name))
    return `${file.name} isn’t ${accepted.kind}. Choose ${accepted.kind}.`
  if (file.size === 0) return `${file.name} is empty. Choose another file.`
  if (file.size + FORM_BYTES > maxBodyBytes)
    return `${file.name} must be at most ${limit}. Got ${writeSize(file.size)}. Choose a smaller file.`
  if (otherBytes + file.size + FORM_BYTES > maxBodyBytes)
    return (
      `With ${file.name} (${writeSize(file.size)}), the files exceed the limit of ${limit}. Remove another file ` +
      'first.'
    )
  if (otherFiles.length >= maxFiles)
    return `A request can have at most ${maxFiles} files. Remove a file before you add ${file.name}.`
  return undefined
}
