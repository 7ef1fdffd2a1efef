import { writeSize } from '../../elements/byte-size'

/** Bytes of a form in addition to its files: boundaries, names, options. */
const FORM_BYTES = 64 * 1024

interface Sized {
  name: string
  size: number
}

/** Returns why a file can't be sent together with the other files, as a sentence. Undefined if it can. */
export function findRefusal(
  file: Sized,
  otherFiles: Sized[],
  { maxBodyBytes, maxFiles }: { maxBodyBytes: number; maxFiles: number },
): string | undefined {
  const otherBytes = otherFiles.reduce((sum, { size }) => sum + size, 0)
  const limit = writeSize(maxBodyBytes)
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
