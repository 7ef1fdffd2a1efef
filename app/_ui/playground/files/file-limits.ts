import { writeSize } from './file-size'

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
  if (file.size === 0) return `${file.name} is empty. Choose a file with something in it.`
  if (file.size + FORM_BYTES > maxBodyBytes)
    return `${file.name} has ${writeSize(file.size)}, and a call takes at most ${limit}. Choose a smaller file.`
  if (otherBytes + file.size + FORM_BYTES > maxBodyBytes)
    return (
      `With ${file.name} (${writeSize(file.size)}) the files have more than the ${limit} that a call takes. Remove ` +
      'another one first.'
    )
  if (otherFiles.length >= maxFiles) return `A call takes at most ${maxFiles} files; ${file.name} is one too many.`
  return undefined
}
