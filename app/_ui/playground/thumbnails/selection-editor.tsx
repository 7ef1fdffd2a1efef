'use client'

import { useRef } from 'react'
import { withMember } from '../form/field-path'
import type { EditorProps } from '../pages/editor-panel'
import { changeSelection, isAscending, pagesBetween, readSelection, writeSelection } from './page-selection'
import { Sheet } from './sheet'
import { ThumbnailGrid } from './thumbnail-grid'
import classes from './thumbnails.module.css'
import { Button } from '../../elements/button'

interface Words {
  /** What a selected page is for, such as `Delete`. */
  verb: string
  /** Says what happens to the selected pages. */
  describe: (count: number, pageCount: number) => string
  /** What the service does with blank pages if `blank` is `true`. */
  blankHint: string
}

const DELETION: Words = {
  verb: 'Delete',
  describe: (count, pageCount) =>
    count === pageCount
      ? 'At least one page must remain.'
      : `Sheaf deletes ${countPages(count)} and keeps ${countPages(pageCount - count)}.`,
  blankHint: 'Sheaf also deletes the pages that it finds blank.',
}
const EXTRACTION: Words = {
  verb: 'Extract',
  describe: count => `The result has ${countPages(count)}.`,
  blankHint: 'Sheaf omits the pages that it finds blank.',
}

/** Selects the pages to delete. */
export function DeletionEditor(props: EditorProps) {
  const { indexes, problem } = readSelection(props.options['pages'], props.document.pageCount)
  // Repeated pages make no difference.
  return <SelectionEditor {...props} words={DELETION} selected={[...new Set(indexes)]} problem={problem} />
}

/** Selects the pages to extract. Shows their order if it isn't that of the document. */
export function ExtractionEditor(props: EditorProps) {
  const { document, options } = props
  const { pages, blank } = options
  // With `blank`, the default is all pages.
  const { indexes, problem } = readSelection(pages ?? (blank === true ? 'all' : undefined), document.pageCount)
  return (
    <SelectionEditor
      {...props}
      words={EXTRACTION}
      selected={indexes}
      problem={problem}
      placeOf={index =>
        isAscending(indexes) ? undefined : indexes.flatMap((one, at) => (one === index ? [at + 1] : [])).join(', ')
      }
    />
  )
}

interface Props extends EditorProps {
  words: Words
  selected: readonly number[]
  problem: string | undefined
  /** The positions of a selected page in the result, if they are worth showing. */
  placeOf?: (index: number) => string | undefined
}

function SelectionEditor({ document, options, onChange, words, selected, problem, placeOf }: Props) {
  const { pageCount } = document
  const anchor = useRef(0)
  const isSelected = new Set(selected)

  function write(indexes: readonly number[]) {
    onChange(withMember(options, 'pages', writeSelection(indexes)))
  }

  function select(index: number, isRange: boolean) {
    if (isRange) write(changeSelection(selected, pagesBetween(anchor.current, index), isSelected.has(anchor.current)))
    else write(changeSelection(selected, [index], !isSelected.has(index)))
    if (!isRange) anchor.current = index
  }

  const all = pagesBetween(0, pageCount - 1)
  const presets = [
    { label: 'Odd pages', indexes: all.filter(index => index % 2 === 0) },
    { label: 'Even pages', indexes: all.filter(index => index % 2 === 1) },
    { label: 'Invert', indexes: all.filter(index => !isSelected.has(index)) },
    { label: 'Clear', indexes: [] },
  ]
  return (
    <div className={classes.editor}>
      <div className={classes.tools} role="group" aria-label="Selection">
        {presets.map(({ label, indexes }) => (
          <Button key={label} look="secondary" size="small" onClick={() => write(indexes)}>
            {label}
          </Button>
        ))}
      </div>
      <p className={classes.soft}>Click pages to select them. With Shift, you select all pages between two clicks.</p>
      <ThumbnailGrid
        count={pageCount}
        label={`Pages to ${words.verb.toLowerCase()}`}
        keyOf={String}
        onExtend={(from, to) => write(changeSelection(selected, pagesBetween(from, to), isSelected.has(from)))}
        render={({ at, tabIndex }) => {
          const isOn = isSelected.has(at)
          const place = isOn ? placeOf?.(at) : undefined
          return (
            <button
              type="button"
              className={classes.page}
              tabIndex={tabIndex}
              aria-pressed={isOn}
              aria-label={`${words.verb} page ${at + 1}${place === undefined ? '' : `, position ${place}`}`}
              data-verb={words.verb}
              onClick={event => select(at, event.shiftKey)}
            >
              <Sheet document={document} pageIndex={at}>
                {isOn && (
                  <span className={classes.badge} data-text={place}>
                    {place === undefined && <Mark verb={words.verb} />}
                  </span>
                )}
              </Sheet>
            </button>
          )
        }}
      />
      <p role="status" className={problem === undefined ? classes.soft : classes.problem}>
        {problem ?? (selected.length === 0 ? 'No pages are selected.' : words.describe(selected.length, pageCount))}
        {problem === undefined && options['blank'] === true && ` ${words.blankHint}`}
      </p>
    </div>
  )
}

function Mark({ verb }: { verb: string }) {
  return (
    <svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" strokeWidth="2.5" aria-hidden>
      <path d={verb === 'Delete' ? 'M6 6l12 12M18 6 6 18' : 'm5 12.5 4.5 4.5L19 7.5'} />
    </svg>
  )
}

function countPages(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`
}
