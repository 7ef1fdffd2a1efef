'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { SearchIcon } from '../elements/icons'
import classes from './search-button.module.css'
import { opensSearch } from './shortcut'

/** The button and the keys that open the search. The dialog, MiniSearch and the index load on first use. */
export function SearchButton() {
  const [dialog, setDialog] = useState<ReactNode>(null)

  async function open() {
    try {
      const { SearchDialog } = await loadDialog()
      setDialog(<SearchDialog onClose={() => setDialog(null)} />)
    } catch {
      setDialog(
        <span role="alert" className={classes.failure}>
          Search did not load. Check your connection, then try again.
        </span>,
      )
    }
  }

  useEffect(() => {
    const openByKey = (event: KeyboardEvent) => {
      if (!opensSearch(event)) return
      event.preventDefault()
      void open()
    }
    document.addEventListener('keydown', openByKey)
    return () => document.removeEventListener('keydown', openByKey)
  }, [])

  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={open}
        onFocus={prefetch}
        onPointerEnter={prefetch}
      >
        <SearchIcon />
        <span className={classes.name}>Search</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      {dialog}
    </>
  )
}

function loadDialog() {
  return import('./search-dialog')
}

/** A failure is shown when the visitor opens the search. */
function prefetch() {
  loadDialog().catch(() => undefined)
}
