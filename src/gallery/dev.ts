/** The files that the page loads, as the server has built them last. */
interface Changes {
  script: string
  style: string
}

// Only during development: a new style replaces the old one, and for a new script the page is reloaded;
// the screen, the place and the filter are in its address.
new EventSource('/web/changes').addEventListener('message', ({ data }) => {
  const { script, style } = JSON.parse(data) as Changes
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')!
  if (!document.querySelector(`script[src="${script}"]`)) location.reload()
  else if (link.getAttribute('href') !== style) link.href = style
})
