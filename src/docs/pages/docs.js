const dark = matchMedia('(prefers-color-scheme: dark)')
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followTheme)
followTheme()

const TOKEN_PATHS = ['/api/v1/auth/login', '/api/v1/auth/refresh']

const SIGN_OUT_PATH = '/api/v1/auth/logout'

/** Says something where it is seen wherever the page stands. */
function tell(text) {
  document.querySelector('.told').textContent = text
}

const BINARY = /^(image|video)\/|octet-stream/

const calmSamples = {
  afterLoad() {
    const sample = this.fn.getSampleSchema
    this.fn.getSampleSchema = (schema, type, ...rest) => {
      // A field of a form is left empty: what it may look like is not what should be sent.
      if (type === false) return ''
      return BINARY.test(type) ? 'bytes' : sample(schema, type, ...rest)
    }
  },
  // To the server an empty field is as if absent, so none is sent, and nobody need be asked.
  wrapComponents: { ParameterIncludeEmpty: () => () => null },
}

/** Puts the introduction, which is long, behind a line that opens it. */
const shortInfo = {
  statePlugins: { spec: { wrapSelectors: { selectInfoDescriptionField: () => () => '' } } },
  wrapComponents: {
    InfoContainer:
      (Info, { React, getComponent, specSelectors }) =>
      (props) => {
        const text = specSelectors.info().get('description')
        const summary = 'How tokens, rights, bodies, filters and pages work'
        return React.createElement(
          'div',
          null,
          React.createElement(Info, props),
          React.createElement(
            'details',
            { className: 'info introduction wrapper' },
            React.createElement('summary', null, summary),
            React.createElement(getComponent('Markdown', true), { source: text ?? '' }),
          ),
        )
      },
  },
}

/** Returns the groups of operations, with those that have all words of the phrase. */
function findOperations(groups, phrase) {
  const words = phrase.toLowerCase().split(/\s+/)
  const hasWords = (group) => (entry) => {
    const operation = entry.get('operation')
    const said = ['operationId', 'summary', 'description'].map((key) => operation.get(key))
    const text = [group, entry.get('method'), entry.get('path'), ...said].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return groups
    .map((group, name) => group.update('operations', (all) => all.filter(hasWords(name))))
    .filter((group) => group.get('operations').size > 0)
}

const FIND = 'Find operations by words of their name, path or description'

const wordFilter = {
  fn: { opsFilter: findOperations },
  wrapComponents: {
    FilterContainer:
      (_, { React }) =>
      ({ layoutSelectors, layoutActions }) => {
        const phrase = layoutSelectors.currentFilter()
        const input = React.createElement('input', {
          className: 'operation-filter-input',
          type: 'search',
          placeholder: FIND,
          'aria-label': FIND,
          value: typeof phrase === 'string' ? phrase : '',
          onChange: ({ target }) => layoutActions.updateFilter(target.value),
        })
        return React.createElement('div', { className: 'filter wrapper' }, input)
      },
    operations:
      (Operations, { React, specSelectors }) =>
      (props) =>
        specSelectors.taggedOperations().size > 0
          ? React.createElement(Operations, props)
          : React.createElement('p', { className: 'note' }, 'No operation has these words.'),
  },
}

/** Returns JSON with integers that no double has rounded, or the lines of a stream as they are. */
function exactText({ content, contentType }) {
  if (typeof content !== 'string' || content === '') return undefined
  if (/ndjson/.test(contentType)) return content
  if (!/json/.test(contentType) || !JSON.rawJSON) return undefined
  const exact = (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value)
  return JSON.stringify(JSON.parse(content, exact), null, 2)
}

const exactAnswers = {
  wrapComponents: {
    responseBody:
      (Body, { React, getComponent }) =>
      (props) => {
        const text = exactText(props)
        if (text === undefined) return React.createElement(Body, props)
        const code = {
          language: 'json',
          downloadable: true,
          fileName: 'answer.json',
          canCopy: true,
        }
        return React.createElement(
          'div',
          null,
          React.createElement('h5', null, 'Response body'),
          React.createElement(getComponent('HighlightCode', true), code, text),
        )
      },
  },
}

const docs = globalThis.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [calmSamples, shortInfo, wordFilter, exactAnswers],
  // Otherwise, another host would be asked whether the document is valid.
  validatorUrl: null,
  requestInterceptor(request) {
    const url = new URL(request.url, location.href)
    // Addresses are kept in histories and logs, headers are not.
    if (request.headers?.Authorization && url.searchParams.has('access_token')) {
      url.searchParams.delete('access_token')
      request.url = url.href
    }
    return request
  },
  responseInterceptor(response) {
    const { pathname } = new URL(response.url)
    if (response.ok && TOKEN_PATHS.includes(pathname)) {
      // Whoever signs in on this page need not copy the token.
      docs.preauthorizeApiKey('bearer', response.body.access_token)
      tell('You are signed in: this page sends your token with each request.')
    } else if (response.ok && pathname === SIGN_OUT_PATH) {
      docs.authActions.logout(['bearer'])
      tell('You are signed out.')
    }
    return response
  },
})
