import * as vscode from 'vscode';
import { setTranslations } from '../../platform/text/translate';

// Imported before all others: their constants have texts.
setTranslations(vscode.l10n.bundle ?? {});
