/** Measures one suite, in a process of its own. */

const [name, only] = process.argv.slice(2)
const { suite } = await import(`./suites/${name}.mjs`)
const rows = []
for (const row of suite.rows.filter(({ work }) => only === undefined || work.includes(only))) {
  const { work, target } = row
  const { shown, met } = await row.run()
  rows.push({ work, target, shown, met })
  console.log(`${work.padEnd(64)} ${shown.padEnd(40)} ${target ?? ''}`)
}
process.send({ title: suite.title, about: suite.about, rows })
