/** The bytes of one object as they stand in a buffer; one instance is reused. */
export class ObjectSpan {
  buffer: Uint8Array = new Uint8Array()
  /** First byte of `N G obj`; of an object in an object stream, its first byte. */
  start = 0
  /** First byte behind `obj`. */
  body = 0
  /** Behind `endobj`; of an object in an object stream, behind its last byte. */
  end = 0
  generation = 0
  /**
   * Whether the bytes can be copied as they are: properly closed, one value, without integers beyond 64 bits and, for a
   * stream, with a true /Length.
   */
  isExact = true
  isStream = false
}
