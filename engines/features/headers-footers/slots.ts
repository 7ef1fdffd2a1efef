/** The slots of a header or footer, from left to right. */
export const SLOTS = ['left', 'center', 'right'] as const

export type Slot = (typeof SLOTS)[number]

/** The content of each slot. */
export type Slots<Content> = Partial<Record<Slot, Content | undefined>>

/** The header and the footer of a page. */
export interface HeaderAndFooter<Content> {
  header: Slots<Content>
  footer: Slots<Content>
}

interface SlotOptions<Content> {
  header?: Slots<Content> | undefined
  footer?: Slots<Content> | undefined
  headerText?: Content | undefined
  footerText?: Content | undefined
  align: Slot
  oddEven: Partial<Record<'odd' | 'even', Partial<HeaderAndFooter<Content>>>>
  mirror: boolean
}

/**
 * Returns the content on odd and on even pages. For each slot, `oddEven` has priority over `header` and `footer`, which
 * have priority over the plain text at `align`. An empty text falls back to the next source, but an empty text in
 * `oddEven` leaves the slot empty. With `mirror`, left and right are swapped on even pages, except for content from
 * `oddEven`.
 */
export function arrangeHeaderAndFooter<Content extends { text?: string }>(
  options: SlotOptions<Content>,
): Record<'odd' | 'even', HeaderAndFooter<Content>> {
  const arrange = (parity: 'odd' | 'even', row: 'header' | 'footer'): Slots<Content> => {
    const plain: Slots<Content> = { [options.align]: options[`${row}Text`] }
    const filled = fillSlots(slot => {
      const slotContent = options[row]?.[slot]
      return slotContent && slotContent.text !== '' ? slotContent : plain[slot]
    })
    const mirrored =
      options.mirror && parity === 'even' ? { ...filled, left: filled.right, right: filled.left } : filled
    return fillSlots(slot => options.oddEven[parity]?.[row]?.[slot] ?? mirrored[slot])
  }
  const both = (parity: 'odd' | 'even'): HeaderAndFooter<Content> => ({
    header: arrange(parity, 'header'),
    footer: arrange(parity, 'footer'),
  })
  return { odd: both('odd'), even: both('even') }
}

function fillSlots<Content>(contentOf: (slot: Slot) => Content | undefined): Slots<Content> {
  return Object.fromEntries(SLOTS.map(slot => [slot, contentOf(slot)]))
}
