'use client'

import buttons from './_ui/elements/link-button.module.css'
import { MessageBox } from './_ui/frame/message-box'
import boxes from './_ui/frame/message-box.module.css'

/** Has no header and footer, because every page loads the script of this one. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main id="content" className={boxes.page}>
      <MessageBox title="This page failed to load" isAlert>
        <p>An error occurred on our side. Try again.</p>
        {error.digest !== undefined && (
          <p>
            Reference for the operator: <code>{error.digest}</code>
          </p>
        )}
        <button type="button" className={buttons.button} onClick={reset}>
          Try again
        </button>
        <a href="/" className={buttons.button}>
          Start page
        </a>
      </MessageBox>
    </main>
  )
}
