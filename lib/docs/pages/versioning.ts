import packageJson from '../../../package.json'
import { heading, list, prose, type DocsPage } from './page'

/** Returns the page about what may change. */
export function describeVersioning(): DocsPage {
  return {
    slug: 'versioning',
    title: 'Versioning',
    lead: 'What may change without notice, what stays the same, and where changes are announced.',
    blocks: [
      heading('What may change without notice'),
      list(
        'New endpoints, and new optional parameters of existing endpoints.',
        'New response headers, new warnings, new error codes and new members of JSON bodies.',
        'The wording of error messages. Use the code in `error`, not the text in `message`.',
        'The exact bytes of a result, such as the order of objects in a PDF.',
        'An unknown field that the API ignores today can become a parameter. Send `Prefer: handling=strict` to find ' +
          'such fields.',
      ),
      heading('What stays the same'),
      list(
        'Error codes and warnings keep their names.',
        'A new release keeps the paths of endpoints and the names of parameters.',
        'If a change breaks this rule, the [changelog](/docs/changelog) says so.',
      ),
      heading('How to prepare your client'),
      list(
        'Ignore response headers, warnings and JSON members that you do not know.',
        'Treat an unknown error code by its status: 4xx means the request, 5xx means the server.',
      ),
      heading('Version of this server'),
      prose(
        `This server runs version ${packageJson.version}. The URLs of the API contain no version. The ` +
          '[OpenAPI document](/openapi.json) states the version in `info.version`.',
      ),
    ],
  }
}

/** Returns the page about features that do not exist. */
export function describeNotSupported(): DocsPage {
  return {
    slug: 'not-supported',
    title: 'What Sheaf does not have',
    lead: 'Check this list before you build on Sheaf.',
    blocks: [
      heading('API'),
      list(
        'No webhooks. The response of a request contains the file.',
        'No asynchronous jobs. Keep the connection open until the response arrives.',
        'No batch requests. Send one request for each result, several at the same time.',
        'No file storage and no download URLs. Sheaf does not keep files.',
        'No PDF input by URL. Upload the file. Only the endpoint for [web pages](/docs/webpage-to-pdf) opens URLs.',
        'No requests from browsers. The API sends no CORS headers.',
        'No endpoint that encrypts, decrypts or signs PDFs. Encrypted files return an error.',
        'No official client libraries. Generate a client from the [OpenAPI document](/openapi.json).',
      ),
      heading('Accounts'),
      list(
        'One API key per account. Keys have no scopes and no expiry date.',
        'No test keys. Failed requests are free, and each account gets free credits every month.',
        'One user per account. There are no teams and no roles.',
      ),
    ],
  }
}
