'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import classes from './thumbnails.module.css'

/** Smallest width of a thumbnail, the gap between two, and the height of the line below, in CSS pixels. */
const LEAST_PX = 80
const GAP_PX = 12
const CAPTION_PX = 22
/** Height of a thumbnail's frame as a multiple of its width. */
export const FRAME_RATIO = 4 / 3

/** Keys that move the focus, as steps in positions or rows. */
const MOVES: Record<string, { by: number; isRow: boolean }> = {
  ArrowLeft: { by: -1, isRow: false },
  ArrowRight: { by: 1, isRow: false },
  ArrowUp: { by: -1, isRow: true },
  ArrowDown: { by: 1, isRow: true },
  Home: { by: -Infinity, isRow: false },
  End: { by: Infinity, isRow: false },
}

/** What a thumbnail must know about its place in the grid. */
export interface GridPosition {
  /** Position in the grid, from 0. */
  at: number
  /** For buttons of the thumbnail: the grid is one stop of the Tab key, and arrow keys move inside. */
  tabIndex: 0 | -1
}

/** Moves the focus to a thumbnail. */
export interface GridHandle {
  focus: (at: number) => void
}

interface Props {
  count: number
  label: string
  /** Height of the controls below a thumbnail, in CSS pixels. */
  controlsPx?: number
  keyOf: (at: number) => string
  render: (place: GridPosition) => ReactNode
  /** Position that stays rendered while it is out of view, such as that of a dragged page. */
  keptAt?: number | undefined
  /** Whether arrow keys belong to a dragged page. */
  isDragging?: boolean
  /** Called when arrow keys move the focus with Shift. */
  onExtend?: (from: number, to: number) => void
  ref?: Ref<GridHandle>
}

/** A grid of thumbnails. Renders only those in view and around, and keeps elements that move to another position. */
export function ThumbnailGrid({
  count,
  label,
  controlsPx = 0,
  keyOf,
  render,
  keptAt,
  isDragging = false,
  onExtend,
  ref,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const widthPx = useWidth(list)
  const [chosenAt, setChosenAt] = useState(0)
  const focusWanted = useRef(false)
  const activeAt = Math.max(0, Math.min(chosenAt, count - 1))
  const columns = Math.max(2, Math.floor((widthPx + GAP_PX) / (LEAST_PX + GAP_PX)))
  const cellPx = (widthPx - GAP_PX * (columns - 1)) / columns
  const rowPx = Math.ceil(cellPx * FRAME_RATIO) + CAPTION_PX + controlsPx + GAP_PX
  // The virtualizer changes with each render, and nothing here is memoized.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: Math.ceil(count / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 2,
  })
  useLayoutEffect(() => rows.measure(), [rows, rowPx])
  useImperativeHandle(ref, () => ({ focus }))
  useEffect(() => {
    if (!focusWanted.current) return
    focusWanted.current = false
    list.current?.querySelector<HTMLElement>(`[data-at="${activeAt}"] button`)?.focus({ preventScroll: true })
  })

  function focus(at: number) {
    const next = Math.max(0, Math.min(at, count - 1))
    focusWanted.current = true
    setChosenAt(next)
    rows.scrollToIndex(Math.floor(next / columns))
  }

  function press(event: KeyboardEvent<HTMLElement>) {
    const move = MOVES[event.key]
    if (!move || isDragging || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const wanted = activeAt + move.by * (move.isRow ? columns : 1)
    const next = move.isRow && (wanted < 0 || wanted >= count) ? activeAt : Math.max(0, Math.min(wanted, count - 1))
    if (event.shiftKey) onExtend?.(activeAt, next)
    focus(next)
  }

  const rendered = new Set([activeAt, ...(keptAt === undefined ? [] : [keptAt])])
  if (widthPx > 0)
    for (const { index } of rows.getVirtualItems())
      for (let at = index * columns; at < Math.min((index + 1) * columns, count); at++) rendered.add(at)
  return (
    <div ref={scroller} className={classes.scroller}>
      {/* The keys move between the buttons inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        ref={list}
        className={classes.grid}
        style={{ height: Math.max(0, rows.getTotalSize() - GAP_PX) }}
        aria-label={label}
        data-testid="thumbnails"
        onKeyDown={press}
        onFocus={({ target }) => {
          const item = target.closest<HTMLElement>('[data-at]')
          if (item) setChosenAt(Number(item.dataset['at']))
        }}
      >
        {widthPx > 0 &&
          [...rendered]
            .filter(at => at < count)
            .sort((one, other) => one - other)
            .map(at => (
              <li
                key={keyOf(at)}
                aria-posinset={at + 1}
                aria-setsize={count}
                data-at={at}
                style={{
                  width: cellPx,
                  left: (at % columns) * (cellPx + GAP_PX),
                  top: Math.floor(at / columns) * rowPx,
                }}
              >
                {render({ at, tabIndex: at === activeAt ? 0 : -1 })}
              </li>
            ))}
      </ul>
    </div>
  )
}

/** Returns the width of an element in CSS pixels. 0 until it is measured. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const measure = () => setWidthPx(current.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}
