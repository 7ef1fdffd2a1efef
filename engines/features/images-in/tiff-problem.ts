/** A problem with a page of a TIFF file. The message continues "is a TIFF file". `{page}` stands for the page number. */
export class TiffProblem extends Error {}

/** The problem of a page whose pixels are incomplete or can't be decoded. */
export function damagedPage(cause?: unknown): TiffProblem {
  return new TiffProblem("with a damaged page {page}. Its pixels are incomplete or can't be decoded.", { cause })
}

/** The problem of a page that Sheaf doesn't support. `what` describes it. */
export function unsupportedPage(what: string): TiffProblem {
  return new TiffProblem(`with ${what} on page {page}. Sheaf doesn't read this type. Save it as PNG or JPEG.`)
}
