'use client'

import { arrayMove, rectSortingStrategy, useSortable } from '@dnd-kit/sortable'
import { useMediaQuery } from '../../elements/use-media-query'
import { useRef, useState } from 'react'
import type { EditorProps } from '../pages/editor-panel'
import { SortArea } from '../sortable/sort-area'
import type { OpenedDocument } from '../preview/pdf-renderer'
import { keepKeys, nextKey, type OrderEntry, readOrder, writeOrder } from './page-orders'
import { pagesBetween } from './page-selection'
import { Sheet } from './sheet'
import { type GridHandle, ThumbnailGrid } from './thumbnail-grid'
import classes from './thumbnails.module.css'
import { Button } from '../../elements/button'

const CONTROLS_PX = 36

/** Reorders, repeats and removes pages by dragging, by keys and with buttons. */
export function OrderEditor({ document, options, onChange }: EditorProps) {
  const { pageCount } = document
  const { indexes, problem } = readOrder(options, pageCount)
  const [known, setKnown] = useState<OrderEntry[]>([])
  const entries = keepKeys(known, indexes)
  const grid = useRef<GridHandle>(null)
  const hasReducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)', false)
  function write(next: OrderEntry[]) {
    setKnown(next)
    onChange(
      writeOrder(
        options,
        next.map(({ index }) => index),
        pageCount,
      ),
    )
  }

  function duplicate(at: number) {
    const index = entries[at]?.index ?? 0
    const copy = { key: nextKey(index, new Set(entries.map(({ key }) => key))), index }
    write([...entries.slice(0, at + 1), copy, ...entries.slice(at + 1)])
    grid.current?.focus(at + 1)
  }

  function remove(at: number) {
    write(entries.filter((_, other) => other !== at))
    grid.current?.focus(Math.min(at, entries.length - 2))
  }

  const removable = entries.filter(({ index }) => index < pageCount).length > 1
  return (
    <div className={classes.editor}>
      <div className={classes.tools} role="group" aria-label="Order">
        <Button look="secondary" size="small" onClick={() => write([...entries].reverse())}>
          Reverse
        </Button>
        <Button look="secondary" size="small" onClick={() => write(keepKeys(entries, pagesBetween(0, pageCount - 1)))}>
          Original order
        </Button>
      </div>
      <p className={classes.soft}>
        Drag pages to reorder them. By keyboard, press Space, then arrow keys, then Space. Delete removes a page.
      </p>
      <SortArea
        keys={entries.map(({ key }) => key)}
        noun="page"
        nameOf={at => nameOf(entries[at], pageCount)}
        strategy={rectSortingStrategy}
        onMove={(from, to) => write(arrayMove(entries, from, to))}
        renderLifted={at => (
          <div className={`${classes.page} ${classes.lifted}`}>
            <Sheet document={document} pageIndex={entries[at]?.index ?? 0} />
          </div>
        )}
      >
        {draggedAt => (
          <ThumbnailGrid
            ref={grid}
            count={entries.length}
            label="Pages of the result"
            controlsPx={CONTROLS_PX}
            keyOf={at => entries[at]?.key ?? String(at)}
            keptAt={draggedAt}
            isDragging={draggedAt !== undefined}
            render={({ at, tabIndex }) => {
              const entry = entries[at]
              return (
                entry && (
                  <SortablePage
                    document={document}
                    entry={entry}
                    tabIndex={tabIndex}
                    isStill={hasReducedMotion}
                    onDuplicate={() => duplicate(at)}
                    onRemove={removable ? () => remove(at) : undefined}
                  />
                )
              )
            }}
          />
        )}
      </SortArea>
      <p role="status" className={problem === undefined ? classes.soft : classes.problem}>
        {problem ?? describeResult(entries, pageCount)}
      </p>
    </div>
  )
}

interface SortablePageProps {
  document: OpenedDocument
  entry: OrderEntry
  tabIndex: 0 | -1
  /** Whether neighbors jump to their places. */
  isStill: boolean
  onDuplicate: () => void
  /** Undefined for the last page, because a document has at least one. */
  onRemove: (() => void) | undefined
}

function SortablePage({ document, entry, tabIndex, isStill, onDuplicate, onRemove }: SortablePageProps) {
  const isBlank = entry.index >= document.pageCount
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: entry.key,
    disabled: isBlank,
    attributes: { roleDescription: 'Page that can be moved' },
    ...(isStill ? { transition: null } : {}),
  })
  const name = nameOf(entry, document.pageCount)
  return (
    <div
      ref={setNodeRef}
      className={classes.sortable}
      data-dragged={isDragging}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className={classes.page}
        {...attributes}
        {...listeners}
        tabIndex={tabIndex}
        aria-label={name}
        disabled={isBlank}
        onKeyDown={event => {
          listeners?.['onKeyDown']?.(event)
          if ((event.key === 'Delete' || event.key === 'Backspace') && !isDragging) onRemove?.()
        }}
      >
        <Sheet document={document} pageIndex={entry.index} />
      </button>
      {!isBlank && (
        <div className={classes.controls}>
          <Control label={`Duplicate ${name}`} tabIndex={tabIndex} onClick={onDuplicate} path={DUPLICATE_ICON} />
          <Control label={`Remove ${name}`} tabIndex={tabIndex} onClick={onRemove} path={REMOVE_ICON} />
        </div>
      )}
    </div>
  )
}

const DUPLICATE_ICON = 'M9 9h10v11H9zM15 9V4H5v11h4'
const REMOVE_ICON = 'M6 6l12 12M18 6 6 18'

interface ControlProps {
  label: string
  tabIndex: 0 | -1
  onClick: (() => void) | undefined
  path: string
}

function Control({ label, tabIndex, onClick, path }: ControlProps) {
  return (
    <button
      type="button"
      className={classes.control}
      aria-label={label}
      title={label}
      tabIndex={tabIndex}
      disabled={!onClick}
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" strokeWidth="1.75" aria-hidden>
        <path d={path} strokeLinejoin="round" />
      </svg>
    </button>
  )
}

function nameOf(entry: OrderEntry | undefined, pageCount: number): string {
  if (!entry || entry.index >= pageCount) return 'Blank page'
  return `Page ${entry.index + 1}`
}

function describeResult(entries: OrderEntry[], pageCount: number): string {
  const blanks = entries.filter(({ index }) => index >= pageCount).length
  const total = entries.length === 1 ? 'The result has 1 page.' : `The result has ${entries.length} pages.`
  if (blanks === 0) return total
  return `${total} ${blanks === 1 ? 'One of them is' : `${blanks} of them are`} blank.`
}
