// Claude's answers in the demonstration of `npm start`: a few words and files for each task of sample/.
import { join } from 'node:path';

const PAUSE_MS = 120;

/** A task's answers in order, found by a part of its prompt. `write` makes Claude write a file into the project. */
const TASKS = [
  {
    prompt: 'SDKバージョン確認',
    answers: [{ say: 'SDKのバージョンは 3.4.2 です。最新版も 3.4.2 なので、更新は必要ありません。' }],
  },
  {
    prompt: 'write the open questions',
    answers: [
      {
        write: 'notes/questions.md',
        contents: 'Who brings the SDK up to date?\nWhy does the camera sample start slowly?\n',
      },
      { say: 'Two questions are open; they are in notes/questions.md.' },
    ],
  },
  {
    prompt: 'Answer the questions',
    // In the middle of its work this task meets the limit.
    limitAfterFirst: true,
    answers: [
      {
        write: 'notes/answers.md',
        contents: '1. Nobody has been named yet.\n2. Half of the 4.1 s goes to the file system.\n',
      },
      { say: 'Both questions are answered in notes/answers.md, as far as the notes go.' },
    ],
  },
  {
    prompt: 'AI技術動向調査',
    answers: [{ say: '本日の調査結果: 小型モデルの組み込み機器での利用が増えています。' }],
  },
  {
    prompt: 'レポート生成',
    answers: [
      { write: 'report.md', contents: '# レポート\n\nSDK 3.4.2、質問 2 件に回答済み。\n' },
      { say: 'レポートを report.md に書きました。' },
    ],
  },
];

/**
 * Answers turns as the stand-in of the Messages API asks for it. `replies` are the stand-in's, `project` is the copy of
 * sample/, `resetInSeconds` says how far ahead the simulated 5-hour limit resets. Claude reports that each task is finished.
 */
export function demoAnswers(replies, report, { project, resetInSeconds }) {
  const limited = new Set();
  return (turn) => {
    const { session, userTexts, toolResults } = turn;
    const task = TASKS.find(({ prompt }) => userTexts.some((words) => words.includes(prompt)));
    if (task === undefined) return replies.text('I have nothing prepared for this.');
    if (task.limitAfterFirst && toolResults > 0 && !limited.has(session)) {
      limited.add(session);
      return replies.limit({ kind: 'five_hour', resetInSeconds });
    }
    const answer = task.answers[Math.min(toolResults, task.answers.length - 1)];
    if (answer.write === undefined) return report(turn, answer.say, 'finished', answer.say, PAUSE_MS);
    return replies.tool('Write', { file_path: join(project, answer.write), content: answer.contents });
  };
}
