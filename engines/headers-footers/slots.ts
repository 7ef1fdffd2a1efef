/** The places of a header or footer, from left to right. */
export const SLOTS = ['left', 'center', 'right'] as const

export type Slot = (typeof SLOTS)[number]

/** What stands in each place. */
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
 * What stands on odd and on even pages. Per place: `oddEven` before `header` and `footer`, these before the plain
 * texts, which `align` places. An empty text gives its place away, but in `oddEven` it leaves it empty. With `mirror`,
 * left and right change on even pages, apart from what `oddEven` puts there.
 */
export function arrangeHeaderAndFooter<Content extends { text?: string }>(
  options: SlotOptions<Content>,
): Record<'odd' | 'even', HeaderAndFooter<Content>> {
  const arrange = (parity: 'odd' | 'even', row: 'header' | 'footer'): Slots<Content> => {
    const plain: Slots<Content> = { [options.align]: options[`${row}Text`] }
    const filled = fillSlots(slot => {
      const own = options[row]?.[slot]
      return own && own.text !== '' ? own : plain[slot]
    })
    const turned = options.mirror && parity === 'even' ? { ...filled, left: filled.right, right: filled.left } : filled
    return fillSlots(slot => options.oddEven[parity]?.[row]?.[slot] ?? turned[slot])
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
