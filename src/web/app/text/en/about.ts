/** What stands on the screen about the product. */
export const en = {
  title: 'About',
  summary: 'A home of your own for the family’s pictures and videos, kept by tags.',
  version: (version: string) => `Version ${version}`,
  runsOn: 'Runs on',
  files: 'Files',
  space: 'Space',
  taken: (taken: string) => `${taken} taken`,
  takenAndFree: (taken: string, free: string) => `${taken} taken, ${free} free`,
  underWay: 'Under way',
  jobs: (jobs: string) => `${jobs} pictures to be read`,
  notHere: 'Not here',
  missing: 'Place names, faces, automatic upload from phones.',
  docs: 'The API, explained',
  document: 'The same for programs',
  health: 'Health',
}
