/** A match, as offsets in UTF-16 units. `end` is exclusive. */
export interface Match {
  start: number
  end: number
}
