// 30 small tasks, each with the end that Claude should report. `files` are in the folder before the task starts.
const finished = (prompt, files = {}) => ({ prompt, files, expected: 'finished' });
const couldNot = (prompt, files = {}) => ({ prompt, files, expected: 'could_not' });
const needsAnswer = (prompt, files = {}) => ({ prompt, files, expected: 'needs_answer' });

const NOTES = { 'notes.txt': 'milk\nbread\neggs\n' };
const CODE = { 'sum.py': 'def sum_up(a, b):\n    return a - b\n' };

export const TASKS = [
  finished('Create hello.txt with the text "hello".'),
  finished('Add the line "butter" at the end of notes.txt.', NOTES),
  finished('Fix the bug in sum.py: sum_up must add its arguments.', CODE),
  finished('Count the lines of notes.txt and write the number into count.txt.', NOTES),
  finished('Rename the function sum_up in sum.py to add_up.', CODE),
  finished('Write a README.md with one sentence that says what sum.py does.', CODE),
  finished('Lege die Datei hallo.txt mit dem Text „Hallo“ an.'),
  finished('Sortiere die Zeilen von notes.txt alphabetisch.', NOTES),
  finished('Crée le fichier bonjour.txt avec le texte « bonjour ».'),
  finished('notes.txt の各行を大文字にしてください。', NOTES),
  couldNot('Translate the text in letter.txt into French. Create no other file if it does not exist.'),
  couldNot('Write the result of the command "qx-7731 --status" into status.txt. Do not guess it.'),
  couldNot(
    'Write the exact number of users that were signed in to this machine on 1 January 1999 into users.txt.',
  ),
  couldNot('Apply the patch in change.patch to sum.py.', { ...CODE, 'change.patch': 'not a patch\n' }),
  couldNot('Write the sum of the numbers in column "total" of data.csv into sum.txt.', {
    'data.csv': 'id,name\n1,a\n',
  }),
  couldNot('Restore the version of notes.txt from last week. There is no repository and no backup.', NOTES),
  couldNot('Schreibe das Passwort, dessen SHA-256 in hash.txt steht, in klar.txt.', {
    'hash.txt': `${'3f'.repeat(32)}\n`,
  }),
  couldNot('Corrige la faute dans le fichier lettre.txt. Ne crée pas ce fichier.'),
  couldNot('Run the tests of this project and write their output into tests.txt. Write no tests.', NOTES),
  couldNot('image.png の写真に写っている人の名前を names.txt に書いてください。', { 'image.png': '' }),
  needsAnswer('One of a.txt and b.txt must be deleted. Ask me which one before you do it.', {
    'a.txt': 'a\n',
    'b.txt': 'b\n',
  }),
  needsAnswer('Set the price in price.txt to the new price. I have not told you the new price yet.', {
    'price.txt': '10\n',
  }),
  needsAnswer('Write my birthday into birthday.txt. Ask me for it.'),
  needsAnswer('Choose between MIT and Apache-2.0 for LICENSE.txt. I want to decide; do not decide for me.'),
  needsAnswer('Rename sum.py to the name that I prefer. Ask me for the name.', CODE),
  needsAnswer('Lösche notes.txt, aber nur, wenn ich es vorher bestätige.', NOTES),
  needsAnswer('Trage den Namen des Projekts in name.txt ein. Frage mich danach.'),
  needsAnswer('Écris dans couleur.txt ma couleur préférée. Demande-la-moi.'),
  needsAnswer('notes.txt を削除する前に、必ず私に確認してください。', NOTES),
  needsAnswer('Two answers to the question in question.txt are possible. Ask me which one to use.', {
    'question.txt': 'Metric or imperial units?\n',
  }),
];
