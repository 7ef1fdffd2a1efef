'use client'

import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { drawIcon } from '../elements/icon'
import { SearchIcon } from '../elements/icons'
import type { FindResults, Result } from './find-results'
import { loadIndex } from './load-index'
import classes from './search-dialog.module.css'
import { isCommandK } from './shortcut'
import { splitMatches } from './split-matches'

const CrossIcon = drawIcon(<path d="m6 6 12 12M18 6 6 18" />)

// This module loads on first use, and the index together with it. The dialog shows a failure.
loadIndex().catch(() => undefined)

/** The search: a field and the results as a combobox, in a modal dialog. `onClose` must remove it from the page. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const [query, setQuery] = useState('')
  const [activeAt, setActiveAt] = useState(0)
  const { find, hasFailed, retry } = useIndex()
  const results = useMemo(() => find?.(query) ?? [], [find, query])
  const isEmpty = query.trim() === ''

  // The browser remembers the focused element, and restores the focus when the dialog closes.
  useEffect(() => dialog.current?.showModal(), [])

  function activate(index: number) {
    setActiveAt(index)
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' })
  }

  function choose(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const last = results.length - 1
    const targets: Record<string, number> = {
      ArrowDown: activeAt === last ? 0 : activeAt + 1,
      ArrowUp: activeAt === 0 ? last : activeAt - 1,
      Home: 0,
      End: last,
    }
    const target = targets[event.key]
    const option = list.current?.children[activeAt]
    if (event.key === 'Enter' && option instanceof HTMLElement) option.click()
    else if (target !== undefined && last >= 0) activate(target)
    else if (isCommandK(event)) close()
    else return
    event.preventDefault()
  }

  function close() {
    dialog.current?.close()
  }

  /** The button disappears, and with it its focus. */
  function loadAgain() {
    field.current?.focus()
    retry()
  }

  /** A click with such a key opens another tab or window, and the search stays. */
  function leave({ ctrlKey, metaKey, shiftKey }: MouseEvent) {
    if (!ctrlKey && !metaKey && !shiftKey) close()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click beside the dialog, for which keyboards have Escape
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-label="Search the documentation"
      onClose={onClose}
      onClick={event => {
        if (event.target === dialog.current) close()
      }}
    >
      <div className={classes.box}>
        <div className={classes.bar}>
          <SearchIcon />
          <input
            ref={field}
            type="text"
            role="combobox"
            className={classes.field}
            aria-label="Search"
            aria-autocomplete="list"
            aria-expanded={results.length > 0}
            aria-controls={`${prefix}-list`}
            aria-activedescendant={results.length > 0 ? `${prefix}-${activeAt}` : undefined}
            placeholder="Search the docs"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={100}
            value={query}
            onChange={event => {
              setQuery(event.target.value)
              activate(0)
            }}
            onKeyDown={choose}
          />
          <button type="button" className={classes.close} aria-label="Close the search" onClick={close}>
            <CrossIcon />
          </button>
        </div>
        <div className={classes.results}>
          {isEmpty && results.length > 0 && <p className={classes.label}>Frequent pages</p>}
          <div
            ref={list}
            role="listbox"
            id={`${prefix}-list`}
            aria-label={isEmpty ? 'Frequent pages' : 'Results'}
            hidden={results.length === 0}
          >
            {results.map((result, index) => (
              <Option
                key={result.href}
                id={`${prefix}-${index}`}
                result={result}
                isActive={index === activeAt}
                onActive={() => setActiveAt(index)}
                onClick={leave}
              />
            ))}
          </div>
          {find && !isEmpty && results.length === 0 && <NoResults query={query} />}
          {hasFailed && (
            <div role="alert" className={classes.message}>
              <p>The search index did not load. Check your connection.</p>
              <button type="button" className={classes.retry} onClick={loadAgain}>
                Try again
              </button>
            </div>
          )}
        </div>
        <div className={classes.foot}>
          <p role="status">{describeState({ find, hasFailed, isEmpty, count: results.length })}</p>
          <p className={classes.keys} aria-hidden="true">
            <kbd>↑</kbd> <kbd>↓</kbd> select <kbd>Enter</kbd> open <kbd>Esc</kbd> close
          </p>
        </div>
      </div>
    </dialog>
  )
}

function Option({
  id,
  result: { kind, title, page, context, href, terms },
  isActive,
  onActive,
  onClick,
}: {
  id: string
  result: Result
  isActive: boolean
  onActive: () => void
  onClick: (event: MouseEvent) => void
}) {
  return (
    <a
      role="option"
      id={id}
      href={href}
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.option}
      onPointerMove={onActive}
      onClick={onClick}
    >
      <span className={classes.title}>
        <Marked text={title} terms={terms} />
      </span>{' '}
      <span className={classes.kind}>{kind}</span>{' '}
      <span className={classes.context}>
        {page !== title && (
          <>
            <span className={classes.page}>
              <Marked text={page} terms={terms} />
            </span>
            {context !== '' && ': '}
          </>
        )}
        <Marked text={context} terms={terms} />
      </span>
    </a>
  )
}

function Marked({ text, terms }: { text: string; terms: string[] }) {
  return splitMatches(text, terms).map((piece, index) => {
    const key = `${index} ${piece.text}`
    return piece.isMatch ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>
  })
}

function NoResults({ query }: { query: string }) {
  return (
    <div className={classes.message}>
      <p>No results for “{query.trim()}”.</p>
      <p>
        Look at the <a href="/docs">list of all pages</a>, or search the{' '}
        <a href="/llms-full.txt">full text of the documentation</a>.
      </p>
    </div>
  )
}

function useIndex() {
  const [find, setFind] = useState<FindResults>()
  const [hasFailed, setHasFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    let isGone = false
    loadIndex().then(
      found => {
        if (!isGone) setFind(() => found)
      },
      () => {
        if (!isGone) setHasFailed(true)
      },
    )
    return () => {
      isGone = true
    }
  }, [attempt])

  const retry = () => {
    setHasFailed(false)
    setAttempt(attempt + 1)
  }
  return { find, hasFailed, retry }
}

function describeState({
  find,
  hasFailed,
  isEmpty,
  count,
}: {
  find: FindResults | undefined
  hasFailed: boolean
  isEmpty: boolean
  count: number
}): string {
  if (hasFailed) return ''
  if (!find) return 'Loading…'
  if (isEmpty) return `${count} pages`
  if (count === 0) return 'No results'
  return count === 1 ? '1 result' : `${count} results`
}
