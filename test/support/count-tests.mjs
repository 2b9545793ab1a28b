// Prints the closing line "N passed, N failed" from the test runner's JSON report and the number of failed steps.
// A report may say success where the run failed (an unhandled error), and a file that cannot be loaded counts no
// test: each failed step and each such file counts as one failure.
import { existsSync, readFileSync } from 'node:fs';

const [file, failedSteps] = process.argv.slice(2);
const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
const passed = report?.numPassedTests ?? 0;
const skipped = report?.numPendingTests ?? 0;
const brokenFiles = (report?.testResults ?? []).filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
).length;
const skippedInCi = process.env.CI === 'true' ? skipped : 0;
const failedTests = (report?.numFailedTests ?? 0) + brokenFiles + skippedInCi;
const failed = Math.max(failedTests, Number(failedSteps), report === undefined ? 1 : 0);

if (skipped > 0) console.log(`${skipped} tests were skipped${skippedInCi ? '; in CI none may be' : ''}.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
